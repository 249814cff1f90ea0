from jinja2.runtime import LoopContext, Macro, Markup, Namespace, TemplateNotFound, TemplateReference, TemplateRuntimeError, Undefined, escape, identity, internalcode, markup_join, missing, str_join
name = 'told.md.j2'

def root(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    l_0_sign = resolve('sign')
    l_0__ = resolve('_')
    l_0_title = resolve('title')
    l_0_what = resolve('what')
    l_0_next_step = resolve('next_step')
    l_0_patch = resolve('patch')
    l_0_reason = resolve('reason')
    l_0_run_url = resolve('run_url')
    l_0_run = missing
    try:
        t_1 = environment.filters['code']
    except KeyError:
        @internalcode
        def t_1(*unused):
            raise TemplateRuntimeError("No filter named 'code' found.")
    try:
        t_2 = environment.filters['fenced']
    except KeyError:
        @internalcode
        def t_2(*unused):
            raise TemplateRuntimeError("No filter named 'fenced' found.")
    try:
        t_3 = environment.filters['quoted']
    except KeyError:
        @internalcode
        def t_3(*unused):
            raise TemplateRuntimeError("No filter named 'quoted' found.")
    pass
    included_template = environment.get_template('words.md.j2', 'told.md.j2')._get_default_module(context)
    l_0_run = getattr(included_template, 'run', missing)
    if l_0_run is missing:
        l_0_run = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'told.md.j2') does not export the requested name 'run'", name='run')
    context.vars['run'] = l_0_run
    context.exported_vars.discard('run')
    yield '### '
    yield escape(environment.finalize((undefined(name='sign') if l_0_sign is missing else l_0_sign)))
    yield ' '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), (undefined(name='title') if l_0_title is missing else l_0_title))))
    yield '\n\n'
    yield escape(environment.finalize(t_3((undefined(name='what') if l_0_what is missing else l_0_what))))
    yield '\n\n**'
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Next:')))
    yield '** '
    yield escape(environment.finalize(t_3((undefined(name='next_step') if l_0_next_step is missing else l_0_next_step))))
    yield '\n\n'
    if (undefined(name='patch') if l_0_patch is missing else l_0_patch):
        pass
        yield '<details>\n<summary>'
        yield escape(environment.finalize((context.call((undefined(name='_') if l_0__ is missing else l_0__), 'What differs from the plan') if ((undefined(name='reason') if l_0_reason is missing else l_0_reason) == 'prediction-missed') else context.call((undefined(name='_') if l_0__ is missing else l_0__), 'The patch, for git apply'))))
        yield '</summary>\n\n'
        yield escape(environment.finalize(t_2((undefined(name='patch') if l_0_patch is missing else l_0_patch), 'diff')))
        yield '\n\n</details>\n\n'
    yield '<sub>'
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Nothing has been changed.')))
    yield ' '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Reason code: %(code)s', code=t_1((undefined(name='reason') if l_0_reason is missing else l_0_reason)))))
    yield escape(environment.finalize(context.call((undefined(name='run') if l_0_run is missing else l_0_run), (undefined(name='run_url') if l_0_run_url is missing else l_0_run_url))))
    yield '</sub>'

blocks = {}
debug_info = '1=38&2=45&4=49&6=51&8=55&10=58&12=60&17=63'
