from jinja2.runtime import LoopContext, Macro, Markup, Namespace, TemplateNotFound, TemplateReference, TemplateRuntimeError, Undefined, escape, identity, internalcode, markup_join, missing, str_join
name = 'progress.md.j2'

def root(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    l_0__ = resolve('_')
    l_0_task = resolve('task')
    l_0_ngettext = resolve('ngettext')
    l_0_actions = resolve('actions')
    l_0_calls = resolve('calls')
    l_0_seconds = resolve('seconds')
    l_0_run_url = resolve('run_url')
    l_0_run = missing
    try:
        t_1 = environment.filters['code']
    except KeyError:
        @internalcode
        def t_1(*unused):
            raise TemplateRuntimeError("No filter named 'code' found.")
    pass
    included_template = environment.get_template('words.md.j2', 'progress.md.j2')._get_default_module(context)
    l_0_run = getattr(included_template, 'run', missing)
    if l_0_run is missing:
        l_0_run = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'progress.md.j2') does not export the requested name 'run'", name='run')
    context.vars['run'] = l_0_run
    context.exported_vars.discard('run')
    yield '### ⏳ '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'An agent is rehearsing %(task)s', task=t_1((undefined(name='task') if l_0_task is missing else l_0_task), 60))))
    yield '\n\n'
    yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), '%(num)d action planned so far', '%(num)d actions planned so far', (undefined(name='actions') if l_0_actions is missing else l_0_actions))))
    yield ', '
    yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), '%(num)d model call', '%(num)d model calls', (undefined(name='calls') if l_0_calls is missing else l_0_calls))))
    yield ', '
    yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), '%(num)d second', '%(num)d seconds', (undefined(name='seconds') if l_0_seconds is missing else l_0_seconds))))
    yield '. '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Nothing has been changed. The plan will stand here.')))
    yield '\n\n<sub>dryrun-bot'
    yield escape(environment.finalize(context.call((undefined(name='run') if l_0_run is missing else l_0_run), (undefined(name='run_url') if l_0_run_url is missing else l_0_run_url))))
    yield '</sub>'

blocks = {}
debug_info = '1=25&2=32&4=34&6=42'
