from jinja2.runtime import LoopContext, Macro, Markup, Namespace, TemplateNotFound, TemplateReference, TemplateRuntimeError, Undefined, escape, identity, internalcode, markup_join, missing, str_join
name = 'report.md.j2'

def root(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    l_0_report = resolve('report')
    l_0__ = resolve('_')
    l_0_plan = resolve('plan')
    l_0_usage = resolve('usage')
    l_0_cost = resolve('cost')
    l_0_ngettext = resolve('ngettext')
    l_0_steps = resolve('steps')
    l_0_done = resolve('done')
    l_0_action = l_0_lines = l_0_verdict = missing
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
        t_6 = environment.filters['round']
    except KeyError:
        @internalcode
        def t_6(*unused):
            raise TemplateRuntimeError("No filter named 'round' found.")
    try:
        t_7 = environment.filters['said']
    except KeyError:
        @internalcode
        def t_7(*unused):
            raise TemplateRuntimeError("No filter named 'said' found.")
    try:
        t_8 = environment.filters['spoken']
    except KeyError:
        @internalcode
        def t_8(*unused):
            raise TemplateRuntimeError("No filter named 'spoken' found.")
    try:
        t_9 = environment.filters['usd']
    except KeyError:
        @internalcode
        def t_9(*unused):
            raise TemplateRuntimeError("No filter named 'usd' found.")
    try:
        t_10 = environment.tests['none']
    except KeyError:
        @internalcode
        def t_10(*unused):
            raise TemplateRuntimeError("No test named 'none' found.")
    pass
    included_template = environment.get_template('words.md.j2', 'report.md.j2')._get_default_module(context)
    l_0_action = getattr(included_template, 'action', missing)
    if l_0_action is missing:
        l_0_action = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'report.md.j2') does not export the requested name 'action'", name='action')
    l_0_lines = getattr(included_template, 'lines', missing)
    if l_0_lines is missing:
        l_0_lines = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'report.md.j2') does not export the requested name 'lines'", name='lines')
    l_0_verdict = getattr(included_template, 'verdict', missing)
    if l_0_verdict is missing:
        l_0_verdict = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'report.md.j2') does not export the requested name 'verdict'", name='verdict')
    context.vars.update({'action': l_0_action, 'lines': l_0_lines, 'verdict': l_0_verdict})
    context.exported_vars.difference_update(('action', 'lines', 'verdict'))
    yield '### '
    yield escape(environment.finalize((context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Dry run') if environment.getattr((undefined(name='report') if l_0_report is missing else l_0_report), 'is_dry_run') else context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Live run'))))
    yield '\n\n| '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Field')))
    yield ' | '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Value')))
    yield ' |\n|:--|:--|\n| '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Task')))
    yield ' | '
    yield escape(environment.finalize(t_1(t_5(environment.getattr((undefined(name='report') if l_0_report is missing else l_0_report), 'task'), 500))))
    yield ' |\n| '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Repository')))
    yield ' | '
    yield escape(environment.finalize(t_1(t_2(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'repository')))))
    yield ' |\n| '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Model')))
    yield ' | '
    yield escape(environment.finalize(t_1(t_2(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'model')))))
    yield ' |\n| '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Status')))
    yield ' | '
    yield escape(environment.finalize(environment.getitem({'success': 'OK', 'partial': 'WARN', 'failed': 'FAIL'}, environment.getattr((undefined(name='report') if l_0_report is missing else l_0_report), 'status'))))
    yield ' '
    yield escape(environment.finalize(environment.getattr((undefined(name='report') if l_0_report is missing else l_0_report), 'status')))
    yield ' |\n| '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Duration')))
    yield ' | '
    yield escape(environment.finalize(t_6(environment.getattr((undefined(name='report') if l_0_report is missing else l_0_report), 'duration_s'), 1)))
    yield 's |\n| '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Steps')))
    yield ' | '
    yield escape(environment.finalize(environment.getattr((undefined(name='usage') if l_0_usage is missing else l_0_usage), 'calls')))
    yield ' |\n| '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Tokens')))
    yield ' | '
    yield escape(environment.finalize(environment.getattr((undefined(name='usage') if l_0_usage is missing else l_0_usage), 'tokens')))
    yield ' |\n| '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Cost')))
    yield ' | '
    if t_10((undefined(name='cost') if l_0_cost is missing else l_0_cost)):
        pass
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'What it cost is not known.')))
    else:
        pass
        yield escape(environment.finalize(t_9((undefined(name='cost') if l_0_cost is missing else l_0_cost))))
        yield ' USD'
    yield ' |\n'
    if environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'stopped_by'):
        pass
        yield '| '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Stopped by')))
        yield ' | '
        yield escape(environment.finalize(t_1(t_5(t_8(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'stopped_by')), 500))))
        yield ' |\n'
    yield '\n'
    if environment.getattr((undefined(name='report') if l_0_report is missing else l_0_report), 'is_dry_run'):
        pass
        yield '#### '
        yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), 'Action plan (dry-run): %(num)d planned action', 'Action plan (dry-run): %(num)d planned actions', t_4((undefined(name='steps') if l_0_steps is missing else l_0_steps)))))
        yield '\n'
    else:
        pass
        yield '#### '
        yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), '%(num)d action carried out', '%(num)d actions carried out', (undefined(name='done') if l_0_done is missing else l_0_done))))
        yield '\n'
    yield '\n'
    if (undefined(name='steps') if l_0_steps is missing else l_0_steps):
        pass
        yield '| # | '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Action')))
        yield ' | '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Verdict')))
        yield ' | '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Why')))
        yield ' |\n|--:|:--|:--|:--|\n'
        for l_1_step in (undefined(name='steps') if l_0_steps is missing else l_0_steps):
            _loop_vars = {}
            pass
            yield '| '
            yield escape(environment.finalize(environment.getattr(l_1_step, 'number')))
            yield ' | '
            yield escape(environment.finalize(t_1(context.call((undefined(name='action') if l_0_action is missing else l_0_action), environment.getattr(l_1_step, 'verb'), t_2(environment.getattr(l_1_step, 'object'), 80), t_2(environment.getattr(l_1_step, 'tool'), 40), _loop_vars=_loop_vars))))
            yield escape(environment.finalize(context.call((undefined(name='lines') if l_0_lines is missing else l_0_lines), environment.getattr(l_1_step, 'added'), environment.getattr(l_1_step, 'removed'), _loop_vars=_loop_vars)))
            yield ' | '
            yield escape(environment.finalize(context.call((undefined(name='verdict') if l_0_verdict is missing else l_0_verdict), environment.getattr(l_1_step, 'badge'), _loop_vars=_loop_vars)))
            yield ' | '
            yield escape(environment.finalize(t_1(t_5(t_8((environment.getattr(l_1_step, 'error') or environment.getattr(l_1_step, 'reason'))), 160))))
            yield ' |\n'
        l_1_step = missing
    else:
        pass
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'The agent planned no change.')))
        yield '\n'
    yield '\n'
    if environment.getattr((undefined(name='report') if l_0_report is missing else l_0_report), 'files_modified'):
        pass
        yield '#### '
        yield escape(environment.finalize((context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Files that would be modified') if environment.getattr((undefined(name='report') if l_0_report is missing else l_0_report), 'is_dry_run') else context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Files modified'))))
        yield '\n\n| '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'File')))
        yield ' | '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Action')))
        yield ' | + | − |\n|:--|:--|--:|--:|\n'
        for l_1_file in environment.getattr((undefined(name='report') if l_0_report is missing else l_0_report), 'files_modified'):
            _loop_vars = {}
            pass
            yield '| '
            yield escape(environment.finalize(t_1(t_2(environment.getattr(l_1_file, 'path')))))
            yield ' | '
            yield escape(environment.finalize(environment.getitem({'created': context.call((undefined(name='_') if l_0__ is missing else l_0__), 'created', _loop_vars=_loop_vars), 'modified': context.call((undefined(name='_') if l_0__ is missing else l_0__), 'modified', _loop_vars=_loop_vars), 'deleted': context.call((undefined(name='_') if l_0__ is missing else l_0__), 'deleted', _loop_vars=_loop_vars)}, environment.getattr(l_1_file, 'action'))))
            yield ' | '
            yield escape(environment.finalize(environment.getattr(l_1_file, 'lines_added')))
            yield ' | '
            yield escape(environment.finalize(environment.getattr(l_1_file, 'lines_removed')))
            yield ' |\n'
        l_1_file = missing
        yield '\n'
    if environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'findings'):
        pass
        yield '#### '
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Findings')))
        yield '\n\n'
        for l_1_finding in environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'findings'):
            _loop_vars = {}
            pass
            yield '- '
            yield escape(environment.finalize(t_5(t_8(l_1_finding), 500)))
            yield '\n'
        l_1_finding = missing
        yield '\n'
    if environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'summary'):
        pass
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), "In the agent's own words, which nobody checked:")))
        yield '\n\n'
        yield escape(environment.finalize(t_7(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'summary'), 4000)))
        yield '\n\n'
    if environment.getattr((undefined(name='report') if l_0_report is missing else l_0_report), 'git_diff'):
        pass
        yield '<details>\n<summary>'
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'The whole diff')))
        yield '</summary>\n\n'
        yield escape(environment.finalize(t_3(environment.getattr((undefined(name='report') if l_0_report is missing else l_0_report), 'git_diff'), 'diff')))
        yield '\n\n</details>\n'

blocks = {}
debug_info = '1=80&2=93&4=95&6=99&7=103&8=107&9=111&10=117&11=121&12=125&13=129&14=139&15=142&18=147&19=150&21=155&24=158&25=161&27=167&28=171&31=183&34=186&35=189&37=191&39=195&40=199&44=209&45=212&47=214&48=218&52=222&53=224&55=226&58=228&60=231&62=233'
