from jinja2.runtime import LoopContext, Macro, Markup, Namespace, TemplateNotFound, TemplateReference, TemplateRuntimeError, Undefined, escape, identity, internalcode, markup_join, missing, str_join
name = 'plan_bare.md.j2'

def root(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    l_0_ngettext = resolve('ngettext')
    l_0_plan = resolve('plan')
    l_0__ = resolve('_')
    l_0_counts = resolve('counts')
    l_0_until = missing
    pass
    included_template = environment.get_template('words.md.j2', 'plan_bare.md.j2')._get_default_module(context)
    l_0_until = getattr(included_template, 'until', missing)
    if l_0_until is missing:
        l_0_until = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'plan_bare.md.j2') does not export the requested name 'until'", name='until')
    context.vars['until'] = l_0_until
    context.exported_vars.discard('until')
    yield '### '
    yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), 'Action plan (dry-run): %(num)d planned action', 'Action plan (dry-run): %(num)d planned actions', environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'number'))))
    yield '\n\n> [!WARNING]\n> '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), "This plan holds text that can't be shown here safely, so none of it is. Read the plan record before you apply anything.")))
    yield '\n\n✅ '
    yield escape(environment.finalize(environment.getattr((undefined(name='counts') if l_0_counts is missing else l_0_counts), 'allow')))
    yield ' · ✋ '
    yield escape(environment.finalize(environment.getattr((undefined(name='counts') if l_0_counts is missing else l_0_counts), 'ask')))
    yield ' · ⛔ '
    yield escape(environment.finalize(environment.getattr((undefined(name='counts') if l_0_counts is missing else l_0_counts), 'deny')))
    yield ' · ⚠️ '
    yield escape(environment.finalize(environment.getattr((undefined(name='counts') if l_0_counts is missing else l_0_counts), 'failed')))
    yield '\n\n<sub>'
    yield escape(environment.finalize(context.call((undefined(name='until') if l_0_until is missing else l_0_until), (undefined(name='plan') if l_0_plan is missing else l_0_plan))))
    yield '</sub>'

blocks = {}
debug_info = '1=16&2=23&5=25&7=27&9=35'
