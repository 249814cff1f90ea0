from jinja2.runtime import LoopContext, Macro, Markup, Namespace, TemplateNotFound, TemplateReference, TemplateRuntimeError, Undefined, escape, identity, internalcode, markup_join, missing, str_join
name = 'plan.md.j2'

def root(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    l_0_plan = resolve('plan')
    l_0__ = resolve('_')
    l_0_inside = l_0_action = l_0_lines = l_0_run = l_0_sign = l_0_until = l_0_verdict = l_0_number = missing
    pass
    included_template = environment.get_template('fold.md.j2', 'plan.md.j2')._get_default_module(context)
    l_0_inside = getattr(included_template, 'inside', missing)
    if l_0_inside is missing:
        l_0_inside = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'plan.md.j2') does not export the requested name 'inside'", name='inside')
    context.vars['inside'] = l_0_inside
    context.exported_vars.discard('inside')
    included_template = environment.get_template('words.md.j2', 'plan.md.j2')._get_default_module(context)
    l_0_action = getattr(included_template, 'action', missing)
    if l_0_action is missing:
        l_0_action = undefined(f"the template {included_template.__name__!r} (imported on line 2 in 'plan.md.j2') does not export the requested name 'action'", name='action')
    l_0_lines = getattr(included_template, 'lines', missing)
    if l_0_lines is missing:
        l_0_lines = undefined(f"the template {included_template.__name__!r} (imported on line 2 in 'plan.md.j2') does not export the requested name 'lines'", name='lines')
    l_0_run = getattr(included_template, 'run', missing)
    if l_0_run is missing:
        l_0_run = undefined(f"the template {included_template.__name__!r} (imported on line 2 in 'plan.md.j2') does not export the requested name 'run'", name='run')
    l_0_sign = getattr(included_template, 'sign', missing)
    if l_0_sign is missing:
        l_0_sign = undefined(f"the template {included_template.__name__!r} (imported on line 2 in 'plan.md.j2') does not export the requested name 'sign'", name='sign')
    l_0_until = getattr(included_template, 'until', missing)
    if l_0_until is missing:
        l_0_until = undefined(f"the template {included_template.__name__!r} (imported on line 2 in 'plan.md.j2') does not export the requested name 'until'", name='until')
    l_0_verdict = getattr(included_template, 'verdict', missing)
    if l_0_verdict is missing:
        l_0_verdict = undefined(f"the template {included_template.__name__!r} (imported on line 2 in 'plan.md.j2') does not export the requested name 'verdict'", name='verdict')
    context.vars.update({'action': l_0_action, 'lines': l_0_lines, 'run': l_0_run, 'sign': l_0_sign, 'until': l_0_until, 'verdict': l_0_verdict})
    context.exported_vars.difference_update(('action', 'lines', 'run', 'sign', 'until', 'verdict'))
    l_0_number = environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'number')
    context.vars['number'] = l_0_number
    context.exported_vars.add('number')
    yield from context.blocks['headline'][0](context)
    yield '\n'
    yield from context.blocks['warnings'][0](context)
    yield from context.blocks['table'][0](context)
    yield from context.blocks['folds'][0](context)
    yield '\n'
    yield from context.blocks['summary'][0](context)
    yield '#### '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Apply')))
    yield '\n\n'
    yield from context.blocks['apply'][0](context)
    yield '\n'
    yield from context.blocks['limits'][0](context)
    yield '\n'
    yield from context.blocks['footer'][0](context)

def block_headline(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    _block_vars = {}
    l_0_ngettext = resolve('ngettext')
    l_0_number = resolve('number')
    l_0_counts = resolve('counts')
    l_0__ = resolve('_')
    l_0_totals = resolve('totals')
    l_0_lines = resolve('lines')
    l_0_plan = resolve('plan')
    try:
        t_1 = environment.filters['code']
    except KeyError:
        @internalcode
        def t_1(*unused):
            raise TemplateRuntimeError("No filter named 'code' found.")
    try:
        t_2 = environment.filters['format']
    except KeyError:
        @internalcode
        def t_2(*unused):
            raise TemplateRuntimeError("No filter named 'format' found.")
    try:
        t_3 = environment.filters['usd']
    except KeyError:
        @internalcode
        def t_3(*unused):
            raise TemplateRuntimeError("No filter named 'usd' found.")
    try:
        t_4 = environment.tests['none']
    except KeyError:
        @internalcode
        def t_4(*unused):
            raise TemplateRuntimeError("No test named 'none' found.")
    pass
    yield '### '
    yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), 'Action plan (dry-run): %(num)d planned action', 'Action plan (dry-run): %(num)d planned actions', (undefined(name='number') if l_0_number is missing else l_0_number), _block_vars=_block_vars)))
    yield '\n\n'
    if (undefined(name='number') if l_0_number is missing else l_0_number):
        pass
        yield '✅ **'
        yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), '%(num)d allowed', '%(num)d allowed', environment.getattr((undefined(name='counts') if l_0_counts is missing else l_0_counts), 'allow'), _block_vars=_block_vars)))
        yield '** · ✋ **'
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), '%(num)d to approve', num=environment.getattr((undefined(name='counts') if l_0_counts is missing else l_0_counts), 'ask'), _block_vars=_block_vars)))
        yield '** · ⛔ **'
        yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), '%(num)d denied', '%(num)d denied', environment.getattr((undefined(name='counts') if l_0_counts is missing else l_0_counts), 'deny'), _block_vars=_block_vars)))
        yield '**'
        if environment.getattr((undefined(name='counts') if l_0_counts is missing else l_0_counts), 'failed'):
            pass
            yield ' · ⚠️ **'
            yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), '%(num)d failed', '%(num)d failed', environment.getattr((undefined(name='counts') if l_0_counts is missing else l_0_counts), 'failed'), _block_vars=_block_vars)))
            yield '**'
        if environment.getattr((undefined(name='totals') if l_0_totals is missing else l_0_totals), 'files'):
            pass
            yield ' — '
            yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), '%(num)d file', '%(num)d files', environment.getattr((undefined(name='totals') if l_0_totals is missing else l_0_totals), 'files'), _block_vars=_block_vars)))
            yield ','
            yield escape(environment.finalize(context.call((undefined(name='lines') if l_0_lines is missing else l_0_lines), environment.getattr((undefined(name='totals') if l_0_totals is missing else l_0_totals), 'added'), environment.getattr((undefined(name='totals') if l_0_totals is missing else l_0_totals), 'removed'), _block_vars=_block_vars)))
        if environment.getattr((undefined(name='totals') if l_0_totals is missing else l_0_totals), 'commands'):
            pass
            yield ' — '
            yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), '%(num)d command or call', '%(num)d commands or calls', environment.getattr((undefined(name='totals') if l_0_totals is missing else l_0_totals), 'commands'), _block_vars=_block_vars)))
    else:
        pass
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'The agent planned no change.', _block_vars=_block_vars)))
    yield '\n\n'
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Nothing has been changed.', _block_vars=_block_vars)))
    yield ' '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Task %(task)s, planned by %(model)s on commit %(head)s.', task=t_1(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'task'), 60), model=t_1(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'model'), 60), head=t_1(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'head_sha')[:7]), _block_vars=_block_vars)))
    if t_4(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'cost')):
        pass
        yield ' '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'What it cost is not known.', _block_vars=_block_vars)))
    else:
        pass
        yield ' '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'It cost %(usd)s USD.', usd=t_3(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'cost')), _block_vars=_block_vars)))
    if environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'cached'):
        pass
        yield ' '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), '%(percent)s of what it read came from the cache.', percent=t_2('%d %%', environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'cached')), _block_vars=_block_vars)))
    yield '\n\n'

def block_warnings(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    _block_vars = {}
    l_0_plan = resolve('plan')
    l_0__ = resolve('_')
    try:
        t_5 = environment.filters['length']
    except KeyError:
        @internalcode
        def t_5(*unused):
            raise TemplateRuntimeError("No filter named 'length' found.")
    try:
        t_6 = environment.filters['quoted']
    except KeyError:
        @internalcode
        def t_6(*unused):
            raise TemplateRuntimeError("No filter named 'quoted' found.")
    try:
        t_7 = environment.filters['spoken']
    except KeyError:
        @internalcode
        def t_7(*unused):
            raise TemplateRuntimeError("No filter named 'spoken' found.")
    pass
    if environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'chaos'):
        pass
        yield '> [!CAUTION]\n> '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), "A chaos run: answers of tools were spoilt on purpose (%(how)s). It can't be applied.", how=t_6(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'chaos'), 200), _block_vars=_block_vars)))
        yield '\n\n'
    if environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'stopped_by'):
        pass
        yield '> [!WARNING]\n> '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Not finished: %(limit)s. What follows is what was planned until then.', limit=t_6(t_7(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'stopped_by')), 200), _block_vars=_block_vars)))
        yield '\n\n'
    if environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'findings'):
        pass
        yield '> [!WARNING]\n'
        for l_1_finding in environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'findings')[:8]:
            _loop_vars = {}
            pass
            yield '> - '
            yield escape(environment.finalize(t_6(t_7(l_1_finding), 200)))
            yield '\n'
        l_1_finding = missing
        if (t_5(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'findings')) > 8):
            pass
            yield '> - '
            yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'and %(num)d more, all of them in the plan record', num=(t_5(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'findings')) - 8), _block_vars=_block_vars)))
            yield '\n'
        yield '\n'

def block_table(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    _block_vars = {}
    l_0_choice = resolve('choice')
    l_0__ = resolve('_')
    l_0_number = resolve('number')
    try:
        t_8 = environment.filters['cell']
    except KeyError:
        @internalcode
        def t_8(*unused):
            raise TemplateRuntimeError("No filter named 'cell' found.")
    try:
        t_1 = environment.filters['code']
    except KeyError:
        @internalcode
        def t_1(*unused):
            raise TemplateRuntimeError("No filter named 'code' found.")
    try:
        t_5 = environment.filters['length']
    except KeyError:
        @internalcode
        def t_5(*unused):
            raise TemplateRuntimeError("No filter named 'length' found.")
    try:
        t_9 = environment.filters['listed']
    except KeyError:
        @internalcode
        def t_9(*unused):
            raise TemplateRuntimeError("No filter named 'listed' found.")
    try:
        t_6 = environment.filters['quoted']
    except KeyError:
        @internalcode
        def t_6(*unused):
            raise TemplateRuntimeError("No filter named 'quoted' found.")
    try:
        t_7 = environment.filters['spoken']
    except KeyError:
        @internalcode
        def t_7(*unused):
            raise TemplateRuntimeError("No filter named 'spoken' found.")
    pass
    if environment.getattr((undefined(name='choice') if l_0_choice is missing else l_0_choice), 'rows'):
        pass
        yield '| # | '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Action', _block_vars=_block_vars)))
        yield ' | '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Verdict', _block_vars=_block_vars)))
        yield ' | '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Why', _block_vars=_block_vars)))
        yield ' |\n|--:|:--|:--|:--|\n'
        for l_1_step in environment.getattr((undefined(name='choice') if l_0_choice is missing else l_0_choice), 'rows'):
            l_1_action = resolve('action')
            l_1_lines = resolve('lines')
            l_1_verdict = resolve('verdict')
            _loop_vars = {}
            pass
            yield '| '
            yield escape(environment.finalize(environment.getattr(l_1_step, 'number')))
            yield ' | '
            yield escape(environment.finalize(t_8(context.call((undefined(name='action') if l_1_action is missing else l_1_action), environment.getattr(l_1_step, 'verb'), t_1(environment.getattr(l_1_step, 'object'), 80), t_1(environment.getattr(l_1_step, 'tool'), 40), _loop_vars=_loop_vars))))
            yield escape(environment.finalize(context.call((undefined(name='lines') if l_1_lines is missing else l_1_lines), environment.getattr(l_1_step, 'added'), environment.getattr(l_1_step, 'removed'), _loop_vars=_loop_vars)))
            if environment.getattr(l_1_step, 'rehearsed'):
                pass
                yield ' 🧪&nbsp;'
                yield escape(environment.finalize(t_6(t_7(environment.getattr(l_1_step, 'rehearsed')), 60)))
            if environment.getattr(l_1_step, 'conditional_on'):
                pass
                yield ' ('
                yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'conditional on step %(steps)s', steps=t_9(environment.getattr(l_1_step, 'conditional_on')[:5]), _loop_vars=_loop_vars)))
                yield ')'
            yield ' | '
            yield escape(environment.finalize(context.call((undefined(name='verdict') if l_1_verdict is missing else l_1_verdict), environment.getattr(l_1_step, 'badge'), _loop_vars=_loop_vars)))
            yield ' | '
            yield escape(environment.finalize(t_8(t_6(t_7((environment.getattr(l_1_step, 'error') or environment.getattr(l_1_step, 'reason'))), 160))))
            yield ' |\n'
        l_1_step = l_1_action = l_1_lines = l_1_verdict = missing
        yield '\n'
        if ((t_5(environment.getattr((undefined(name='choice') if l_0_choice is missing else l_0_choice), 'rows')) < (undefined(name='number') if l_0_number is missing else l_0_number)) or (t_5(environment.getattr((undefined(name='choice') if l_0_choice is missing else l_0_choice), 'folds')) < (undefined(name='number') if l_0_number is missing else l_0_number))):
            pass
            yield '✂️ '
            yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), '%(rows)d of %(number)d actions are listed and %(folds)d opened up below; all of them are in the plan record.', rows=t_5(environment.getattr((undefined(name='choice') if l_0_choice is missing else l_0_choice), 'rows')), folds=t_5(environment.getattr((undefined(name='choice') if l_0_choice is missing else l_0_choice), 'folds')), number=(undefined(name='number') if l_0_number is missing else l_0_number), _block_vars=_block_vars)))
            yield '\n\n'

def block_folds(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    _block_vars = {}
    l_0_choice = resolve('choice')
    try:
        t_10 = environment.filters['html_code']
    except KeyError:
        @internalcode
        def t_10(*unused):
            raise TemplateRuntimeError("No filter named 'html_code' found.")
    pass
    for l_1_fold in environment.getattr((undefined(name='choice') if l_0_choice is missing else l_0_choice), 'folds'):
        l_1_sign = resolve('sign')
        l_1_action = resolve('action')
        l_1_lines = resolve('lines')
        l_1_inside = resolve('inside')
        l_1_step = missing
        _loop_vars = {}
        pass
        l_1_step = environment.getattr(l_1_fold, 'step')
        _loop_vars['step'] = l_1_step
        yield '<details'
        if (environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'badge') == 'ask'):
            pass
            yield ' open'
        yield '>\n<summary>'
        yield escape(environment.finalize(environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'number')))
        yield ' · '
        yield escape(environment.finalize(context.call((undefined(name='sign') if l_1_sign is missing else l_1_sign), environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'badge'), _loop_vars=_loop_vars)))
        yield ' '
        yield escape(environment.finalize(context.call((undefined(name='action') if l_1_action is missing else l_1_action), environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'verb'), t_10(environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'object')), t_10(environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'tool')), _loop_vars=_loop_vars)))
        yield escape(environment.finalize(context.call((undefined(name='lines') if l_1_lines is missing else l_1_lines), environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'added'), environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'removed'), _loop_vars=_loop_vars)))
        yield '</summary>\n\n'
        yield escape(environment.finalize(context.call((undefined(name='inside') if l_1_inside is missing else l_1_inside), l_1_fold, _loop_vars=_loop_vars)))
        yield '\n\n</details>\n'
    l_1_fold = l_1_step = l_1_sign = l_1_action = l_1_lines = l_1_inside = missing

def block_summary(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    _block_vars = {}
    l_0_plan = resolve('plan')
    l_0__ = resolve('_')
    try:
        t_11 = environment.filters['said']
    except KeyError:
        @internalcode
        def t_11(*unused):
            raise TemplateRuntimeError("No filter named 'said' found.")
    pass
    if environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'summary'):
        pass
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), "In the agent's own words, which nobody checked:", _block_vars=_block_vars)))
        yield '\n\n'
        yield escape(environment.finalize(t_11(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'summary'), 1500)))
        yield '\n\n'

def block_apply(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    _block_vars = {}
    l_0_can_apply = resolve('can_apply')
    l_0__ = resolve('_')
    l_0_slash = resolve('slash')
    l_0_plan = resolve('plan')
    l_0_must_name = resolve('must_name')
    l_0_counts = resolve('counts')
    l_0_ngettext = resolve('ngettext')
    l_0_asks = resolve('asks')
    l_0_not_shown = resolve('not_shown')
    l_0_number = resolve('number')
    try:
        t_12 = environment.filters['join']
    except KeyError:
        @internalcode
        def t_12(*unused):
            raise TemplateRuntimeError("No filter named 'join' found.")
    try:
        t_5 = environment.filters['length']
    except KeyError:
        @internalcode
        def t_5(*unused):
            raise TemplateRuntimeError("No filter named 'length' found.")
    try:
        t_9 = environment.filters['listed']
    except KeyError:
        @internalcode
        def t_9(*unused):
            raise TemplateRuntimeError("No filter named 'listed' found.")
    pass
    if (undefined(name='can_apply') if l_0_can_apply is missing else l_0_can_apply):
        pass
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'To have exactly this done, reply:', _block_vars=_block_vars)))
        yield '\n\n```text\n'
        yield escape(environment.finalize((undefined(name='slash') if l_0_slash is missing else l_0_slash)))
        yield 'apply '
        yield escape(environment.finalize(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'short_digest')))
        if (undefined(name='must_name') if l_0_must_name is missing else l_0_must_name):
            pass
            yield ' --approve '
            yield escape(environment.finalize((t_12(context.eval_ctx, (undefined(name='must_name') if l_0_must_name is missing else l_0_must_name), ',') if (t_5((undefined(name='must_name') if l_0_must_name is missing else l_0_must_name)) <= 50) else 'all')))
        yield '\n```\n\n'
        if environment.getattr((undefined(name='counts') if l_0_counts is missing else l_0_counts), 'ask'):
            pass
            yield '✋ '
            yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), 'Step %(steps)s needs your approval by its number.', 'Steps %(steps)s need your approval by their numbers.', t_5((undefined(name='asks') if l_0_asks is missing else l_0_asks)), steps=t_9((undefined(name='asks') if l_0_asks is missing else l_0_asks)), _block_vars=_block_vars)))
            yield '\n'
        if (undefined(name='not_shown') if l_0_not_shown is missing else l_0_not_shown):
            pass
            yield '✂️ '
            yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Not wholly shown above, so they must be named: %(steps)s. Read them in the plan record first.', steps=t_9((undefined(name='not_shown') if l_0_not_shown is missing else l_0_not_shown)), _block_vars=_block_vars)))
            yield '\n'
        if (environment.getattr((undefined(name='counts') if l_0_counts is missing else l_0_counts), 'deny') or environment.getattr((undefined(name='counts') if l_0_counts is missing else l_0_counts), 'failed')):
            pass
            yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Denied and failed steps are left out.', _block_vars=_block_vars)))
            yield '\n'
    elif environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'chaos'):
        pass
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'A chaos run is for looking at only. Comment %(command)s for a plan that can be applied.', command=markup_join(('`', (undefined(name='slash') if l_0_slash is missing else l_0_slash), 'plan`', )), _block_vars=_block_vars)))
        yield '\n'
    elif (undefined(name='number') if l_0_number is missing else l_0_number):
        pass
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Nothing here can be applied: every step was denied or failed. Comment %(command)s to try again, or change the policy on the default branch.', command=markup_join(('`', (undefined(name='slash') if l_0_slash is missing else l_0_slash), 'plan`', )), _block_vars=_block_vars)))
        yield '\n'
    else:
        pass
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'There is nothing to apply.', _block_vars=_block_vars)))
        yield '\n'

def block_limits(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    _block_vars = {}
    l_0__ = resolve('_')
    l_0_rehearsed = resolve('rehearsed')
    l_0_simulated = resolve('simulated')
    l_0_unaware = resolve('unaware')
    l_0_conditional = resolve('conditional')
    l_0_dependent = resolve('dependent')
    l_0_plan = resolve('plan')
    try:
        t_1 = environment.filters['code']
    except KeyError:
        @internalcode
        def t_1(*unused):
            raise TemplateRuntimeError("No filter named 'code' found.")
    try:
        t_9 = environment.filters['listed']
    except KeyError:
        @internalcode
        def t_9(*unused):
            raise TemplateRuntimeError("No filter named 'listed' found.")
    try:
        t_3 = environment.filters['usd']
    except KeyError:
        @internalcode
        def t_3(*unused):
            raise TemplateRuntimeError("No filter named 'usd' found.")
    try:
        t_4 = environment.tests['none']
    except KeyError:
        @internalcode
        def t_4(*unused):
            raise TemplateRuntimeError("No test named 'none' found.")
    pass
    yield '<details>\n<summary>'
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), "What this dry run can't know", _block_vars=_block_vars)))
    yield '</summary>\n\n- '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Reads were real. Writes were kept in memory, and the agent read them back from there.', _block_vars=_block_vars)))
    yield '\n'
    if (undefined(name='rehearsed') if l_0_rehearsed is missing else l_0_rehearsed):
        pass
        yield '- '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Run for real in a sandbox without network, on a throwaway copy: %(steps)s. Applying runs them again, and stops where a file comes out otherwise.', steps=t_9((undefined(name='rehearsed') if l_0_rehearsed is missing else l_0_rehearsed)), _block_vars=_block_vars)))
        yield '\n'
    if ((undefined(name='simulated') if l_0_simulated is missing else l_0_simulated) or (not (undefined(name='rehearsed') if l_0_rehearsed is missing else l_0_rehearsed))):
        pass
        yield '- '
        yield escape(environment.finalize((context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Commands and calls to the outside were not made: what they would do or answer is not known, and the agent went on as if they had worked.', _block_vars=_block_vars) if (not (undefined(name='rehearsed') if l_0_rehearsed is missing else l_0_rehearsed)) else context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Other commands and calls to the outside were not made: what they would do or answer is not known, and the agent went on as if they had worked.', _block_vars=_block_vars))))
        yield '\n'
    if (undefined(name='simulated') if l_0_simulated is missing else l_0_simulated):
        pass
        yield '- '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Simulated, and not carried out: %(steps)s.', steps=t_9((undefined(name='simulated') if l_0_simulated is missing else l_0_simulated)), _block_vars=_block_vars)))
        yield '\n'
    if (undefined(name='unaware') if l_0_unaware is missing else l_0_unaware):
        pass
        yield '- '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Planned after that, without knowing what came of it: %(steps)s.', steps=t_9((undefined(name='unaware') if l_0_unaware is missing else l_0_unaware)), _block_vars=_block_vars)))
        yield '\n'
    if (undefined(name='conditional') if l_0_conditional is missing else l_0_conditional):
        pass
        yield '- '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Conditional on a simulated result, which may come out otherwise: %(steps)s.', steps=t_9((undefined(name='conditional') if l_0_conditional is missing else l_0_conditional)), _block_vars=_block_vars)))
        yield '\n'
    if (undefined(name='dependent') if l_0_dependent is missing else l_0_dependent):
        pass
        yield '- '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Built on what earlier steps would have done: %(steps)s.', steps=t_9((undefined(name='dependent') if l_0_dependent is missing else l_0_dependent)), _block_vars=_block_vars)))
        yield '\n'
    yield '- '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Planned at %(since)s UTC, when the base branch was at %(base)s. What came after that was not seen.', since=environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'since'), base=t_1(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'base_sha')[:7]), _block_vars=_block_vars)))
    yield '\n- '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'How long anything takes, and what a service refuses because of its rate limits, shows only when it is done. A dry run does not replace a staging environment.', _block_vars=_block_vars)))
    yield '\n- '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Verdicts come from the policy and the action alone. No model was asked for permission.', _block_vars=_block_vars)))
    yield '\n'
    if environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'advisor'):
        pass
        yield '- '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'A second model, %(model)s, was asked what each step would do. It can make a verdict stricter, and nothing else.', model=t_1(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'advisor'), 60), _block_vars=_block_vars)))
        if t_4(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'advisor_cost')):
            pass
            yield ' '
            yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'What it cost is not known.', _block_vars=_block_vars)))
        else:
            pass
            yield ' '
            yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'It cost %(usd)s USD.', usd=t_3(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'advisor_cost')), _block_vars=_block_vars)))
        yield '\n'
    yield '- '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Applying asks no model: it carries out the recorded steps, and stops when the branch, the policy or the outcome differs from this plan.', _block_vars=_block_vars)))
    yield '\n\n</details>\n'

def block_footer(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    _block_vars = {}
    l_0_until = resolve('until')
    l_0_plan = resolve('plan')
    l_0__ = resolve('_')
    l_0_slash = resolve('slash')
    l_0_run = resolve('run')
    l_0_run_url = resolve('run_url')
    pass
    yield '<sub>'
    yield escape(environment.finalize(context.call((undefined(name='until') if l_0_until is missing else l_0_until), (undefined(name='plan') if l_0_plan is missing else l_0_plan), _block_vars=_block_vars)))
    yield ' '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'More: %(commands)s', commands=markup_join(('`', (undefined(name='slash') if l_0_slash is missing else l_0_slash), 'explain 1` `', (undefined(name='slash') if l_0_slash is missing else l_0_slash), 'discard` `', (undefined(name='slash') if l_0_slash is missing else l_0_slash), 'help`', )), _block_vars=_block_vars)))
    yield escape(environment.finalize(context.call((undefined(name='run') if l_0_run is missing else l_0_run), (undefined(name='run_url') if l_0_run_url is missing else l_0_run_url), _block_vars=_block_vars)))
    yield '</sub>\n'

blocks = {'headline': block_headline, 'warnings': block_warnings, 'table': block_table, 'folds': block_folds, 'summary': block_summary, 'apply': block_apply, 'limits': block_limits, 'footer': block_footer}
debug_info = '1=14&2=20&3=41&4=44&24=46&46=47&62=48&74=50&82=52&84=54&111=56&147=58&4=60&5=100&7=102&8=105&9=111&10=116&11=122&13=128&17=130&18=133&19=141&24=147&25=175&27=178&30=180&32=183&35=185&37=188&38=192&40=195&41=198&46=202&47=249&48=252&50=258&51=265&52=269&53=273&56=285&57=288&62=291&63=306&64=314&65=317&66=321&68=328&74=332&75=348&76=350&78=352&84=355&85=391&86=393&89=395&93=403&94=406&96=408&97=411&99=413&100=415&102=417&103=419&104=421&105=423&107=427&111=430&113=470&115=472&116=474&117=477&119=479&120=482&122=484&123=487&125=489&126=492&128=494&129=497&131=499&132=502&134=505&135=507&136=509&137=511&138=514&139=515&142=525&147=528&148=543'
