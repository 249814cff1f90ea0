from jinja2.runtime import LoopContext, Macro, Markup, Namespace, TemplateNotFound, TemplateReference, TemplateRuntimeError, Undefined, escape, identity, internalcode, markup_join, missing, str_join
name = 'report_bare.md.j2'

def root(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    l_0_report = resolve('report')
    l_0__ = resolve('_')
    l_0_ngettext = resolve('ngettext')
    l_0_steps = resolve('steps')
    l_0_done = resolve('done')
    try:
        t_1 = environment.filters['length']
    except KeyError:
        @internalcode
        def t_1(*unused):
            raise TemplateRuntimeError("No filter named 'length' found.")
    pass
    yield '### '
    yield escape(environment.finalize((context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Dry run') if environment.getattr((undefined(name='report') if l_0_report is missing else l_0_report), 'is_dry_run') else context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Live run'))))
    yield '\n\n'
    yield escape(environment.finalize(environment.getattr((undefined(name='report') if l_0_report is missing else l_0_report), 'status')))
    yield ', '
    yield escape(environment.finalize((context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), 'Action plan (dry-run): %(num)d planned action', 'Action plan (dry-run): %(num)d planned actions', t_1((undefined(name='steps') if l_0_steps is missing else l_0_steps))) if environment.getattr((undefined(name='report') if l_0_report is missing else l_0_report), 'is_dry_run') else context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), '%(num)d action carried out', '%(num)d actions carried out', (undefined(name='done') if l_0_done is missing else l_0_done)))))
    yield '\n\n'
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), "The rest of this report holds text that can't be shown here safely, or too much of it. The JSON report has all.")))

blocks = {}
debug_info = '1=23&3=25&5=29'
