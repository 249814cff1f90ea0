from jinja2.runtime import LoopContext, Macro, Markup, Namespace, TemplateNotFound, TemplateReference, TemplateRuntimeError, Undefined, escape, identity, internalcode, markup_join, missing, str_join
name = 'help.md.j2'

def root(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    l_0__ = resolve('_')
    l_0_tasks = resolve('tasks')
    l_0_ad_hoc = resolve('ad_hoc')
    l_0_slash = resolve('slash')
    l_0_may_apply = resolve('may_apply')
    l_0_author_may_apply = resolve('author_may_apply')
    l_0_defaults = resolve('defaults')
    l_0_limits = resolve('limits')
    l_0_expires_hours = resolve('expires_hours')
    l_0_model = resolve('model')
    l_0_run_url = resolve('run_url')
    l_0_run = missing
    try:
        t_1 = environment.filters['cell']
    except KeyError:
        @internalcode
        def t_1(*unused):
            raise TemplateRuntimeError("No filter named 'cell' found.")
    try:
        t_2 = environment.filters['code']
    except KeyError:
        @internalcode
        def t_2(*unused):
            raise TemplateRuntimeError("No filter named 'code' found.")
    try:
        t_3 = environment.filters['quoted']
    except KeyError:
        @internalcode
        def t_3(*unused):
            raise TemplateRuntimeError("No filter named 'quoted' found.")
    try:
        t_4 = environment.filters['string']
    except KeyError:
        @internalcode
        def t_4(*unused):
            raise TemplateRuntimeError("No filter named 'string' found.")
    pass
    included_template = environment.get_template('words.md.j2', 'help.md.j2')._get_default_module(context)
    l_0_run = getattr(included_template, 'run', missing)
    if l_0_run is missing:
        l_0_run = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'help.md.j2') does not export the requested name 'run'", name='run')
    context.vars['run'] = l_0_run
    context.exported_vars.discard('run')
    yield '### 👋 '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'What I can do here')))
    yield '\n\n| '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Comment')))
    yield ' | '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'What happens')))
    yield ' | '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Who may')))
    yield ' |\n|:--|:--|:--|\n'
    for l_1_name in (undefined(name='tasks') if l_0_tasks is missing else l_0_tasks):
        _loop_vars = {}
        pass
        yield '| `'
        yield escape(environment.finalize((undefined(name='slash') if l_0_slash is missing else l_0_slash)))
        yield 'plan '
        yield escape(environment.finalize(l_1_name))
        yield '` | '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'an agent rehearses this task, and I post the exact plan', _loop_vars=_loop_vars)))
        yield ' | `'
        yield escape(environment.finalize((undefined(name='may_apply') if l_0_may_apply is missing else l_0_may_apply)))
        yield '` |\n'
    l_1_name = missing
    if (undefined(name='ad_hoc') if l_0_ad_hoc is missing else l_0_ad_hoc):
        pass
        yield '| `'
        yield escape(environment.finalize((undefined(name='slash') if l_0_slash is missing else l_0_slash)))
        yield 'plan …` | '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'the same for a task in your own words')))
        yield ' | `'
        yield escape(environment.finalize((undefined(name='may_apply') if l_0_may_apply is missing else l_0_may_apply)))
        yield '` |\n'
    yield '| `'
    yield escape(environment.finalize((undefined(name='slash') if l_0_slash is missing else l_0_slash)))
    yield 'apply …` | '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'exactly the plan with this digest becomes a commit; steps that ask are named with %(option)s', option='`--approve 2,4`')))
    yield ' | `'
    yield escape(environment.finalize((undefined(name='may_apply') if l_0_may_apply is missing else l_0_may_apply)))
    yield '`'
    if (not (undefined(name='author_may_apply') if l_0_author_may_apply is missing else l_0_author_may_apply)):
        pass
        yield ', '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'but not the author')))
    yield ' |\n| `'
    yield escape(environment.finalize((undefined(name='slash') if l_0_slash is missing else l_0_slash)))
    yield 'discard` | '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'no plan made so far can be applied any more')))
    yield ' | `'
    yield escape(environment.finalize((undefined(name='may_apply') if l_0_may_apply is missing else l_0_may_apply)))
    yield '` |\n| `'
    yield escape(environment.finalize((undefined(name='slash') if l_0_slash is missing else l_0_slash)))
    yield 'undo` | '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'the newest applied plan is taken back')))
    yield ' | `'
    yield escape(environment.finalize((undefined(name='may_apply') if l_0_may_apply is missing else l_0_may_apply)))
    yield '` |\n| `'
    yield escape(environment.finalize((undefined(name='slash') if l_0_slash is missing else l_0_slash)))
    yield 'replay` | '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'past runs go through the rules as this pull request changes them, and I post what comes out otherwise')))
    yield ' | `'
    yield escape(environment.finalize((undefined(name='may_apply') if l_0_may_apply is missing else l_0_may_apply)))
    yield '` |\n| `'
    yield escape(environment.finalize((undefined(name='slash') if l_0_slash is missing else l_0_slash)))
    yield 'explain 2` | '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'what step 2 would do, and what decided about it')))
    yield ' | `read` |\n| `'
    yield escape(environment.finalize((undefined(name='slash') if l_0_slash is missing else l_0_slash)))
    yield 'help` | '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'this page')))
    yield ' | `read` |\n\n<details>\n<summary>'
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'The policy in force')))
    yield '</summary>\n\n| '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'An action that would')))
    yield ' | '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Verdict')))
    yield ' |\n|:--|:--|\n'
    for (l_1_name, l_1_outcome) in (undefined(name='defaults') if l_0_defaults is missing else l_0_defaults):
        _loop_vars = {}
        pass
        yield '| '
        yield escape(environment.finalize(t_1(t_3(l_1_name, 60))))
        yield ' | '
        yield escape(environment.finalize(t_1(t_2(l_1_outcome, 20))))
        yield ' |\n'
    l_1_name = l_1_outcome = missing
    yield '\n- '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'An agent may make %(steps)s model calls, use %(tokens)s tokens, spend %(usd)s USD and take %(seconds)s seconds.', steps=environment.getattr((undefined(name='limits') if l_0_limits is missing else l_0_limits), 'steps'), tokens=t_2(t_4(environment.getattr((undefined(name='limits') if l_0_limits is missing else l_0_limits), 'tokens'))), usd=environment.getattr((undefined(name='limits') if l_0_limits is missing else l_0_limits), 'usd'), seconds=environment.getattr((undefined(name='limits') if l_0_limits is missing else l_0_limits), 'seconds'))))
    yield '\n- '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'A plan may be applied for %(hours)d hours.', hours=(undefined(name='expires_hours') if l_0_expires_hours is missing else l_0_expires_hours))))
    yield '\n- '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Model: %(model)s.', model=t_2((undefined(name='model') if l_0_model is missing else l_0_model), 60))))
    yield '\n\n</details>\n\n<sub>'
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'From %(file)s on the default branch.', file='`.github/dryrun-bot.yml`')))
    yield escape(environment.finalize(context.call((undefined(name='run') if l_0_run is missing else l_0_run), (undefined(name='run_url') if l_0_run_url is missing else l_0_run_url))))
    yield '</sub>'

blocks = {}
debug_info = '1=47&2=54&4=56&6=62&7=66&9=75&10=78&12=85&13=96&14=102&15=108&16=114&17=118&20=122&22=124&24=128&25=132&28=138&29=140&30=142&34=144'
