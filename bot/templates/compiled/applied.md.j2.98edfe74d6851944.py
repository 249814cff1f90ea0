from jinja2.runtime import LoopContext, Macro, Markup, Namespace, TemplateNotFound, TemplateReference, TemplateRuntimeError, Undefined, escape, identity, internalcode, markup_join, missing, str_join
name = 'applied.md.j2'

def root(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    l_0_is_claim = resolve('is_claim')
    l_0_ngettext = resolve('ngettext')
    l_0_done_in_all = resolve('done_in_all')
    l_0_commit = resolve('commit')
    l_0__ = resolve('_')
    l_0_plan = resolve('plan')
    l_0_approved_by = resolve('approved_by')
    l_0_was_there_before = resolve('was_there_before')
    l_0_commit_url = resolve('commit_url')
    l_0_done = resolve('done')
    l_0_done_count = resolve('done_count')
    l_0_outputs = resolve('outputs')
    l_0_errands = resolve('errands')
    l_0_denied = resolve('denied')
    l_0_failed = resolve('failed')
    l_0_left_over = resolve('left_over')
    l_0_starts_checks = resolve('starts_checks')
    l_0_slash = resolve('slash')
    l_0_run_url = resolve('run_url')
    l_0_action = l_0_commit_name = l_0_lines = l_0_progress = l_0_run = missing
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
        t_3 = environment.filters['fenced']
    except KeyError:
        @internalcode
        def t_3(*unused):
            raise TemplateRuntimeError("No filter named 'fenced' found.")
    try:
        t_4 = environment.filters['length']
    except KeyError:
        @internalcode
        def t_4(*unused):
            raise TemplateRuntimeError("No filter named 'length' found.")
    try:
        t_5 = environment.filters['quoted']
    except KeyError:
        @internalcode
        def t_5(*unused):
            raise TemplateRuntimeError("No filter named 'quoted' found.")
    try:
        t_6 = environment.tests['sameas']
    except KeyError:
        @internalcode
        def t_6(*unused):
            raise TemplateRuntimeError("No test named 'sameas' found.")
    pass
    included_template = environment.get_template('words.md.j2', 'applied.md.j2')._get_default_module(context)
    l_0_action = getattr(included_template, 'action', missing)
    if l_0_action is missing:
        l_0_action = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'applied.md.j2') does not export the requested name 'action'", name='action')
    l_0_commit_name = getattr(included_template, 'commit_name', missing)
    if l_0_commit_name is missing:
        l_0_commit_name = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'applied.md.j2') does not export the requested name 'commit_name'", name='commit_name')
    l_0_lines = getattr(included_template, 'lines', missing)
    if l_0_lines is missing:
        l_0_lines = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'applied.md.j2') does not export the requested name 'lines'", name='lines')
    l_0_progress = getattr(included_template, 'progress', missing)
    if l_0_progress is missing:
        l_0_progress = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'applied.md.j2') does not export the requested name 'progress'", name='progress')
    l_0_run = getattr(included_template, 'run', missing)
    if l_0_run is missing:
        l_0_run = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'applied.md.j2') does not export the requested name 'run'", name='run')
    context.vars.update({'action': l_0_action, 'commit_name': l_0_commit_name, 'lines': l_0_lines, 'progress': l_0_progress, 'run': l_0_run})
    context.exported_vars.difference_update(('action', 'commit_name', 'lines', 'progress', 'run'))
    yield '### '
    yield escape(environment.finalize(('⏳' if (undefined(name='is_claim') if l_0_is_claim is missing else l_0_is_claim) else '✅')))
    yield ' '
    yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), 'Applied: %(num)d action', 'Applied: %(num)d actions', (undefined(name='done_in_all') if l_0_done_in_all is missing else l_0_done_in_all))))
    yield '\n\n'
    if (not (undefined(name='commit') if l_0_commit is missing else l_0_commit)):
        pass
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Plan %(digest)s, approved by %(login)s, changes no file, so there is no commit.', digest=t_2(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'short_digest')), login=t_2((undefined(name='approved_by') if l_0_approved_by is missing else l_0_approved_by), 60))))
        yield '\n'
    elif (undefined(name='was_there_before') if l_0_was_there_before is missing else l_0_was_there_before):
        pass
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'This plan is on the branch already, as commit %(commit)s; nothing more was done.', commit=context.call((undefined(name='commit_name') if l_0_commit_name is missing else l_0_commit_name), environment.getattr((undefined(name='commit') if l_0_commit is missing else l_0_commit), 'sha'), (undefined(name='commit_url') if l_0_commit_url is missing else l_0_commit_url)))))
        yield '\n'
    else:
        pass
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Exactly the plan %(digest)s, approved by %(login)s, is now commit %(commit)s.', digest=t_2(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'short_digest')), login=t_2((undefined(name='approved_by') if l_0_approved_by is missing else l_0_approved_by), 60), commit=context.call((undefined(name='commit_name') if l_0_commit_name is missing else l_0_commit_name), environment.getattr((undefined(name='commit') if l_0_commit is missing else l_0_commit), 'sha'), (undefined(name='commit_url') if l_0_commit_url is missing else l_0_commit_url)))))
        yield '\n'
    yield '\n'
    if (undefined(name='done') if l_0_done is missing else l_0_done):
        pass
        yield '| # | '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Action')))
        yield ' |\n|--:|:--|\n'
        for l_1_step in (undefined(name='done') if l_0_done is missing else l_0_done):
            _loop_vars = {}
            pass
            yield '| '
            yield escape(environment.finalize(environment.getattr(l_1_step, 'number')))
            yield ' | '
            yield escape(environment.finalize(t_1(context.call((undefined(name='action') if l_0_action is missing else l_0_action), environment.getattr(l_1_step, 'verb'), t_2(environment.getattr(l_1_step, 'object'), 80), t_2(environment.getattr(l_1_step, 'tool'), 40), _loop_vars=_loop_vars))))
            yield escape(environment.finalize(context.call((undefined(name='lines') if l_0_lines is missing else l_0_lines), environment.getattr(l_1_step, 'added'), environment.getattr(l_1_step, 'removed'), _loop_vars=_loop_vars)))
            yield ' |\n'
        l_1_step = missing
        yield '\n'
    if ((undefined(name='done_count') if l_0_done_count is missing else l_0_done_count) > t_4((undefined(name='done') if l_0_done is missing else l_0_done))):
        pass
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'and %(num)d more, all of them in the commit', num=((undefined(name='done_count') if l_0_done_count is missing else l_0_done_count) - t_4((undefined(name='done') if l_0_done is missing else l_0_done))))))
        yield '\n\n'
    for (l_1_number, l_1_output) in (undefined(name='outputs') if l_0_outputs is missing else l_0_outputs):
        _loop_vars = {}
        pass
        yield '<details>\n<summary>'
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'What step %(step)s said', step=l_1_number, _loop_vars=_loop_vars)))
        yield '</summary>\n\n'
        yield escape(environment.finalize(t_3(l_1_output, 'text')))
        yield '\n\n</details>\n\n'
    l_1_number = l_1_output = missing
    if (undefined(name='errands') if l_0_errands is missing else l_0_errands):
        pass
        yield escape(environment.finalize((context.call((undefined(name='_') if l_0__ is missing else l_0__), 'After the commit, each tried once:') if (undefined(name='commit') if l_0_commit is missing else l_0_commit) else context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Each tried once:'))))
        yield '\n\n| # | '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Action')))
        yield ' | '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'How far')))
        yield ' |\n|--:|:--|:--|\n'
        for (l_1_step, l_1_errand) in (undefined(name='errands') if l_0_errands is missing else l_0_errands):
            _loop_vars = {}
            pass
            yield '| '
            yield escape(environment.finalize(environment.getattr(l_1_step, 'number')))
            yield ' | '
            yield escape(environment.finalize(t_1(context.call((undefined(name='action') if l_0_action is missing else l_0_action), environment.getattr(l_1_step, 'verb'), t_2(environment.getattr(l_1_step, 'object'), 80), t_2(environment.getattr(l_1_step, 'tool'), 40), _loop_vars=_loop_vars))))
            yield ' | '
            yield escape(environment.finalize(context.call((undefined(name='progress') if l_0_progress is missing else l_0_progress), environment.getattr(l_1_errand, 'progress'), _loop_vars=_loop_vars)))
            if environment.getattr(l_1_errand, 'said'):
                pass
                yield ': '
                yield escape(environment.finalize(t_1(t_5(environment.getattr(l_1_errand, 'said'), 200))))
            yield ' |\n'
        l_1_step = l_1_errand = missing
        yield '\n'
        if (undefined(name='is_claim') if l_0_is_claim is missing else l_0_is_claim):
            pass
            yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'This is not finished. If nothing more happens here, the run was cut off: start it again, and it goes on with what was not tried yet.')))
            yield '\n\n'
    if ((undefined(name='denied') if l_0_denied is missing else l_0_denied) or (undefined(name='failed') if l_0_failed is missing else l_0_failed)):
        pass
        yield '- '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Left out, as the plan said:')))
        yield ' '
        yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), '%(num)d denied', '%(num)d denied', (undefined(name='denied') if l_0_denied is missing else l_0_denied))))
        yield ', '
        yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), '%(num)d failed', '%(num)d failed', (undefined(name='failed') if l_0_failed is missing else l_0_failed))))
        yield '.\n'
    if (undefined(name='left_over') if l_0_left_over is missing else l_0_left_over):
        pass
        yield '- '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Commands also made files that git ignores. They are not in the commit:')))
        for l_1_path in (undefined(name='left_over') if l_0_left_over is missing else l_0_left_over)[:10]:
            _loop_vars = {}
            pass
            yield ' '
            yield escape(environment.finalize(t_2(l_1_path, 120)))
        l_1_path = missing
        if (t_4((undefined(name='left_over') if l_0_left_over is missing else l_0_left_over)) > 10):
            pass
            yield ' …'
        yield '\n'
    if (not (undefined(name='commit') if l_0_commit is missing else l_0_commit)):
        pass
    elif environment.getattr((undefined(name='commit') if l_0_commit is missing else l_0_commit), 'verified'):
        pass
        yield '- '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'GitHub shows the commit as verified.')))
        yield '\n'
    else:
        pass
        yield '- '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'The commit is not signed.')))
        yield '\n'
    if (not (undefined(name='commit') if l_0_commit is missing else l_0_commit)):
        pass
    elif t_6((undefined(name='starts_checks') if l_0_starts_checks is missing else l_0_starts_checks), True):
        pass
        yield '- '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'It starts your checks, as any push does.')))
        yield '\n'
    elif t_6((undefined(name='starts_checks') if l_0_starts_checks is missing else l_0_starts_checks), False):
        pass
        yield '- '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), "It starts no workflow: GitHub holds that back for pushes with the workflow's own token. Push again, or give the bot a token of its own, to have it checked.")))
        yield '\n'
    yield '\n<sub>'
    if (undefined(name='commit') if l_0_commit is missing else l_0_commit):
        pass
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'To take it back: %(command)s', command=markup_join(('`', (undefined(name='slash') if l_0_slash is missing else l_0_slash), 'undo`', )))))
        if (undefined(name='errands') if l_0_errands is missing else l_0_errands):
            pass
            yield ' ('
            yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'the commit, and not what was done after it')))
            yield ')'
    yield escape(environment.finalize(context.call((undefined(name='run') if l_0_run is missing else l_0_run), (undefined(name='run_url') if l_0_run_url is missing else l_0_run_url))))
    yield '</sub>'

blocks = {}
debug_info = '1=67&2=86&4=90&5=92&6=94&7=96&9=100&12=103&13=106&15=108&16=112&20=119&21=121&24=123&26=127&28=129&33=132&34=134&36=136&38=140&39=144&42=156&43=158&47=160&48=163&50=169&51=172&52=173&55=183&56=185&57=188&59=193&61=195&62=197&63=200&64=202&65=205&68=208'
