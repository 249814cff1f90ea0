from jinja2.runtime import LoopContext, Macro, Markup, Namespace, TemplateNotFound, TemplateReference, TemplateRuntimeError, Undefined, escape, identity, internalcode, markup_join, missing, str_join
name = 'explained.md.j2'

def root(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    l_0__ = resolve('_')
    l_0_step = resolve('step')
    l_0_plan = resolve('plan')
    l_0_fold = resolve('fold')
    l_0_action = l_0_until = l_0_verdict = l_0_inside = missing
    try:
        t_1 = environment.filters['code']
    except KeyError:
        @internalcode
        def t_1(*unused):
            raise TemplateRuntimeError("No filter named 'code' found.")
    try:
        t_2 = environment.filters['quoted']
    except KeyError:
        @internalcode
        def t_2(*unused):
            raise TemplateRuntimeError("No filter named 'quoted' found.")
    try:
        t_3 = environment.filters['spoken']
    except KeyError:
        @internalcode
        def t_3(*unused):
            raise TemplateRuntimeError("No filter named 'spoken' found.")
    pass
    included_template = environment.get_template('words.md.j2', 'explained.md.j2')._get_default_module(context)
    l_0_action = getattr(included_template, 'action', missing)
    if l_0_action is missing:
        l_0_action = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'explained.md.j2') does not export the requested name 'action'", name='action')
    l_0_until = getattr(included_template, 'until', missing)
    if l_0_until is missing:
        l_0_until = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'explained.md.j2') does not export the requested name 'until'", name='until')
    l_0_verdict = getattr(included_template, 'verdict', missing)
    if l_0_verdict is missing:
        l_0_verdict = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'explained.md.j2') does not export the requested name 'verdict'", name='verdict')
    context.vars.update({'action': l_0_action, 'until': l_0_until, 'verdict': l_0_verdict})
    context.exported_vars.difference_update(('action', 'until', 'verdict'))
    included_template = environment.get_template('fold.md.j2', 'explained.md.j2')._get_default_module(context)
    l_0_inside = getattr(included_template, 'inside', missing)
    if l_0_inside is missing:
        l_0_inside = undefined(f"the template {included_template.__name__!r} (imported on line 2 in 'explained.md.j2') does not export the requested name 'inside'", name='inside')
    context.vars['inside'] = l_0_inside
    context.exported_vars.discard('inside')
    yield '### 🔎 '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Step %(number)d of plan %(digest)s', number=environment.getattr((undefined(name='step') if l_0_step is missing else l_0_step), 'number'), digest=t_1(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'short_digest')))))
    yield '\n\n'
    yield escape(environment.finalize(context.call((undefined(name='action') if l_0_action is missing else l_0_action), environment.getattr((undefined(name='step') if l_0_step is missing else l_0_step), 'verb'), t_1(environment.getattr((undefined(name='step') if l_0_step is missing else l_0_step), 'object'), 120), t_1(environment.getattr((undefined(name='step') if l_0_step is missing else l_0_step), 'tool'), 40))))
    yield '\n\n'
    if (environment.getattr((undefined(name='step') if l_0_step is missing else l_0_step), 'badge') == 'allow'):
        pass
        yield '**'
        yield escape(environment.finalize(context.call((undefined(name='verdict') if l_0_verdict is missing else l_0_verdict), environment.getattr((undefined(name='step') if l_0_step is missing else l_0_step), 'badge'))))
        yield '**: '
        yield escape(environment.finalize(t_2(t_3(environment.getattr((undefined(name='step') if l_0_step is missing else l_0_step), 'reason')))))
        yield '\n'
    yield '\n'
    if (undefined(name='fold') if l_0_fold is missing else l_0_fold):
        pass
        yield escape(environment.finalize(context.call((undefined(name='inside') if l_0_inside is missing else l_0_inside), (undefined(name='fold') if l_0_fold is missing else l_0_fold))))
        yield '\n'
    else:
        pass
        yield '✂️ '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'This step is too long to be shown here; the plan record has it.')))
        yield '\n'
    yield '\n<sub>'
    yield escape(environment.finalize(context.call((undefined(name='until') if l_0_until is missing else l_0_until), (undefined(name='plan') if l_0_plan is missing else l_0_plan))))
    yield '</sub>'

blocks = {}
debug_info = '1=34&2=46&3=53&5=55&7=57&8=60&11=65&12=67&14=72&17=75'
