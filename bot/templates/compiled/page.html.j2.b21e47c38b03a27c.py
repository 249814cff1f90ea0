from jinja2.runtime import LoopContext, Macro, Markup, Namespace, TemplateNotFound, TemplateReference, TemplateRuntimeError, Undefined, escape, identity, internalcode, markup_join, missing, str_join
name = 'page.html.j2'

def root(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    l_0_language = resolve('language')
    l_0__ = resolve('_')
    l_0_plan = resolve('plan')
    l_0_is_live = resolve('is_live')
    l_0_ngettext = resolve('ngettext')
    l_0_steps = resolve('steps')
    l_0_totals = resolve('totals')
    l_0_bars = resolve('bars')
    l_0_counts = resolve('counts')
    try:
        t_1 = environment.filters['format']
    except KeyError:
        @internalcode
        def t_1(*unused):
            raise TemplateRuntimeError("No filter named 'format' found.")
    try:
        t_2 = environment.filters['length']
    except KeyError:
        @internalcode
        def t_2(*unused):
            raise TemplateRuntimeError("No filter named 'length' found.")
    try:
        t_3 = environment.filters['listed']
    except KeyError:
        @internalcode
        def t_3(*unused):
            raise TemplateRuntimeError("No filter named 'listed' found.")
    try:
        t_4 = environment.filters['rows']
    except KeyError:
        @internalcode
        def t_4(*unused):
            raise TemplateRuntimeError("No filter named 'rows' found.")
    try:
        t_5 = environment.filters['shown']
    except KeyError:
        @internalcode
        def t_5(*unused):
            raise TemplateRuntimeError("No filter named 'shown' found.")
    try:
        t_6 = environment.filters['spoken']
    except KeyError:
        @internalcode
        def t_6(*unused):
            raise TemplateRuntimeError("No filter named 'spoken' found.")
    try:
        t_7 = environment.filters['usd']
    except KeyError:
        @internalcode
        def t_7(*unused):
            raise TemplateRuntimeError("No filter named 'usd' found.")
    try:
        t_8 = environment.tests['none']
    except KeyError:
        @internalcode
        def t_8(*unused):
            raise TemplateRuntimeError("No test named 'none' found.")
    pass
    yield '<!doctype html>\n<html lang="'
    yield escape((undefined(name='language') if l_0_language is missing else l_0_language))
    yield '">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n<title>'
    yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Plan'))
    yield ' '
    yield escape(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'short_digest'))
    yield ' · '
    yield escape(t_5(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'repository')))
    yield '</title>\n<style>\n:root { --ink: #1f2328; --soft: #59636e; --paper: #fff; --line: #d1d9e0; --band: #f6f8fa; --allow: #1a7f37; --ask: #9a6700;\n  --deny: #d1242f; --failed: #8250df; --old: #ffebe9; --new: #dafbe1; --link: #0969da; }\n@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --paper: #0d1117; --line: #3d444d; --band: #151b23;\n  --allow: #3fb950; --ask: #d29922; --deny: #f85149; --failed: #ab7df8; --old: #442022; --new: #12361f; --link: #4493f8; } }\n* { box-sizing: border-box; }\nbody { margin: 0; overflow-wrap: anywhere; background: var(--paper); color: var(--ink); font: 15px/1.55 system-ui, "Segoe UI", "Liberation Sans", sans-serif; }\nmain, header { max-width: 1200px; margin: 0 auto; padding: 0 24px; }\nheader { padding-top: 32px; }\nh1 { font-size: 26px; line-height: 1.25; margin: 0 0 8px; }\nh2 { font-size: 18px; margin: 32px 0 12px; }\ncode, pre, .diff { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, "Liberation Mono", monospace; }\ncode { background: var(--band); border-radius: 5px; padding: 2px 5px; overflow-wrap: anywhere; }\npre { background: var(--band); border-radius: 6px; padding: 12px 14px; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }\n.soft { color: var(--soft); }\n.skip { position: absolute; left: -999px; }\n.skip:focus { left: 8px; top: 8px; background: var(--paper); padding: 8px; }\nfieldset { border: 0; margin: 20px 0 8px; padding: 0; display: flex; flex-wrap: wrap; gap: 8px; }\nlegend { padding: 0 0 6px; color: var(--soft); }\nfieldset label { border: 1px solid var(--line); border-radius: 999px; padding: 5px 14px; cursor: pointer; }\nfieldset input { position: absolute; opacity: 0; }\nfieldset input:checked + span { font-weight: 600; }\nfieldset label:has(input:checked) { background: var(--band); border-color: currentColor; }\nfieldset label:has(input:focus-visible) { outline: 2px solid var(--link); outline-offset: 2px; }\nbody:has(#show-allow:checked) .step:not(.allow), body:has(#show-ask:checked) .step:not(.ask),\nbody:has(#show-deny:checked) .step:not(.deny), body:has(#show-failed:checked) .step:not(.failed) { display: none; }\n.step { border: 1px solid var(--line); border-left-width: 4px; border-radius: 6px; margin: 12px 0; }\n.allow { border-left-color: var(--allow); } .ask { border-left-color: var(--ask); }\n.deny { border-left-color: var(--deny); } .failed { border-left-color: var(--failed); }\nsummary { padding: 10px 14px; cursor: pointer; overflow-wrap: anywhere; }\nsummary:focus-visible { outline: 2px solid var(--link); }\n.badge { font-weight: 600; } .allow > summary .badge { color: var(--allow); } .ask > summary .badge { color: var(--ask); }\n.deny > summary .badge { color: var(--deny); } .failed > summary .badge { color: var(--failed); }\n.inside { padding: 0 14px 14px; border-top: 1px solid var(--line); }\nblockquote { margin: 12px 0; padding: 0 14px; color: var(--soft); border-left: 4px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; }\n.diff { width: 100%; border-collapse: collapse; table-layout: fixed; margin: 8px 0; border: 1px solid var(--line); }\n.diff td { padding: 1px 8px; vertical-align: top; white-space: pre-wrap; overflow-wrap: anywhere; }\n.diff .n { width: 52px; color: var(--soft); text-align: right; user-select: none; }\n.diff .old { background: var(--old); } .diff .new { background: var(--new); } .diff .hunk td { background: var(--band); color: var(--soft); }\n.chart { display: flex; align-items: flex-end; gap: 4px; height: 140px; border-bottom: 1px solid var(--line); }\n.chart div { flex: 1 1 8px; max-width: 48px; height: 100%; display: flex; flex-direction: column; justify-content: flex-end; }\n.chart i { display: block; min-height: 1px; background: var(--ask); } .chart i + i { background: var(--link); }\ndl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; margin: 12px 0; } dt { color: var(--soft); } dd { margin: 0; }\nfooter { margin: 40px 0 32px; }\n@media (max-width: 700px) { .diff .n { width: 36px; } main, header { padding-left: 14px; padding-right: 14px; } }\n@media print { fieldset, .skip { display: none; } .step { break-inside: avoid-page; } body { font-size: 11px; } details:not([open]) > .inside { display: block; }\n  :root { --ink: #000; --paper: #fff; --band: #f6f8fa; --old: #ffebe9; --new: #dafbe1; } }\n</style>\n</head>\n<body>\n<a class="skip" href="#steps">'
    yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'To the steps'))
    yield '</a>\n<header>\n<h1>'
    if (undefined(name='is_live') if l_0_is_live is missing else l_0_is_live):
        pass
        yield escape(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), 'Live run: %(num)d action', 'Live run: %(num)d actions', t_2((undefined(name='steps') if l_0_steps is missing else l_0_steps))))
    else:
        pass
        yield escape(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), 'Action plan (dry-run): %(num)d planned action', 'Action plan (dry-run): %(num)d planned actions', t_2((undefined(name='steps') if l_0_steps is missing else l_0_steps))))
    yield '</h1>\n<p class="soft">'
    yield escape(t_5(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'repository')))
    if environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'pull_request'):
        pass
        yield ' · '
        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'pull request %(number)d', number=environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'pull_request')))
    if (not (undefined(name='is_live') if l_0_is_live is missing else l_0_is_live)):
        pass
        yield ' · '
        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Nothing has been changed.'))
    yield '</p>\n</header>\n<main>\n<dl>\n<dt>'
    yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Task'))
    yield '</dt><dd><code>'
    yield escape(t_5(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'task')))
    yield '</code></dd>\n<dt>'
    yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Model'))
    yield '</dt><dd><code>'
    yield escape(t_5(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'model')))
    yield '</code></dd>\n<dt>'
    yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Commit'))
    yield '</dt><dd><code>'
    yield escape(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'head_sha'))
    yield '</code></dd>\n<dt>'
    yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Digest'))
    yield '</dt><dd><code>'
    yield escape(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'digest'))
    yield '</code></dd>\n<dt>'
    yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Good until'))
    yield '</dt><dd>'
    yield escape(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'until'))
    yield ' UTC</dd>\n<dt>'
    yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Cost'))
    yield '</dt><dd>'
    if t_8(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'cost')):
        pass
        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'What it cost is not known.'))
    else:
        pass
        yield escape(t_7(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'cost')))
        yield ' USD'
    if environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'cached'):
        pass
        yield ' '
        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), '%(percent)s of what it read came from the cache.', percent=t_1('%d %%', environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'cached'))))
    yield '</dd>\n<dt>'
    yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Changes'))
    yield '</dt><dd>'
    yield escape(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), '%(num)d file', '%(num)d files', environment.getattr((undefined(name='totals') if l_0_totals is missing else l_0_totals), 'files')))
    yield ', +'
    yield escape(environment.getattr((undefined(name='totals') if l_0_totals is missing else l_0_totals), 'added'))
    yield ' −'
    yield escape(environment.getattr((undefined(name='totals') if l_0_totals is missing else l_0_totals), 'removed'))
    yield '; '
    yield escape(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), '%(num)d command or call', '%(num)d commands or calls', environment.getattr((undefined(name='totals') if l_0_totals is missing else l_0_totals), 'commands')))
    yield '</dd>\n</dl>\n'
    if environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'chaos'):
        pass
        yield '<p><strong>'
        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), "A chaos run: answers of tools were spoilt on purpose (%(how)s). It can't be applied.", how=t_5(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'chaos'))))
        yield '</strong></p>'
    if environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'stopped_by'):
        pass
        yield '<p><strong>'
        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Not finished: %(limit)s. What follows is what was planned until then.', limit=t_5(t_6(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'stopped_by')))))
        yield '</strong></p>'
    if environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'findings'):
        pass
        yield '<ul>\n'
        for l_1_finding in environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'findings'):
            _loop_vars = {}
            pass
            yield '<li>'
            yield escape(t_5(t_6(l_1_finding)))
            yield '</li>\n'
        l_1_finding = missing
        yield '</ul>\n'
    if environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'summary'):
        pass
        yield '<p>'
        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), "In the agent's own words, which nobody checked:"))
        yield '</p>\n<blockquote>'
        yield escape(t_5(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'summary')))
        yield '</blockquote>\n'
    if (undefined(name='bars') if l_0_bars is missing else l_0_bars):
        pass
        yield '<h2>'
        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'What the run used'))
        yield '</h2>\n<p class="soft">'
        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Tokens of each model call: read in blue, written in yellow.'))
        yield '</p>\n<div class="chart" role="img" aria-label="'
        yield escape(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), '%(num)d model call', '%(num)d model calls', t_2((undefined(name='bars') if l_0_bars is missing else l_0_bars))))
        yield '">\n'
        for l_1_bar in (undefined(name='bars') if l_0_bars is missing else l_0_bars):
            _loop_vars = {}
            pass
            yield '<div title="'
            yield escape(environment.getattr(l_1_bar, 'number'))
            yield ': '
            yield escape(environment.getattr(l_1_bar, 'tokens_in'))
            yield ' + '
            yield escape(environment.getattr(l_1_bar, 'tokens_out'))
            yield '"><i style="height:'
            yield escape(environment.getattr(l_1_bar, 'height_out'))
            yield '%"></i><i style="height:'
            yield escape(environment.getattr(l_1_bar, 'height_in'))
            yield '%"></i></div>\n'
        l_1_bar = missing
        yield '</div>\n'
    yield '<h2 id="steps">'
    yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Steps'))
    yield '</h2>\n<fieldset>\n<legend>'
    yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Show'))
    yield '</legend>\n<label><input type="radio" name="show" id="show-all" checked><span>'
    yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'all'))
    yield ' '
    yield escape(t_2((undefined(name='steps') if l_0_steps is missing else l_0_steps)))
    yield '</span></label>\n<label><input type="radio" name="show" id="show-allow"><span>✅ '
    yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'allow'))
    yield ' '
    yield escape(environment.getattr((undefined(name='counts') if l_0_counts is missing else l_0_counts), 'allow'))
    yield '</span></label>\n<label><input type="radio" name="show" id="show-ask"><span>✋ '
    yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'ask'))
    yield ' '
    yield escape(environment.getattr((undefined(name='counts') if l_0_counts is missing else l_0_counts), 'ask'))
    yield '</span></label>\n<label><input type="radio" name="show" id="show-deny"><span>⛔ '
    yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'deny'))
    yield ' '
    yield escape(environment.getattr((undefined(name='counts') if l_0_counts is missing else l_0_counts), 'deny'))
    yield '</span></label>\n<label><input type="radio" name="show" id="show-failed"><span>⚠️ '
    yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'failed'))
    yield ' '
    yield escape(environment.getattr((undefined(name='counts') if l_0_counts is missing else l_0_counts), 'failed'))
    yield '</span></label>\n</fieldset>\n'
    for l_1_step in (undefined(name='steps') if l_0_steps is missing else l_0_steps):
        _loop_vars = {}
        pass
        yield '<details class="step '
        yield escape(environment.getattr(l_1_step, 'badge'))
        yield '" id="step-'
        yield escape(environment.getattr(l_1_step, 'number'))
        yield '" open>\n<summary>'
        yield escape(environment.getattr(l_1_step, 'number'))
        yield ' · <span class="badge">'
        yield escape(context.call(environment.getattr({'allow': markup_join(('✅ ', context.call((undefined(name='_') if l_0__ is missing else l_0__), 'allow', _loop_vars=_loop_vars), )), 'ask': markup_join(('✋ ', context.call((undefined(name='_') if l_0__ is missing else l_0__), 'ask', _loop_vars=_loop_vars), )), 'deny': markup_join(('⛔ ', context.call((undefined(name='_') if l_0__ is missing else l_0__), 'deny', _loop_vars=_loop_vars), ))}, 'get'), environment.getattr(l_1_step, 'badge'), markup_join(('⚠️ ', context.call((undefined(name='_') if l_0__ is missing else l_0__), 'failed', _loop_vars=_loop_vars), )), _loop_vars=_loop_vars))
        yield '</span> · <code>'
        yield escape(t_5(environment.getattr(l_1_step, 'tool')))
        yield '</code> <code>'
        yield escape(t_5(environment.getattr(l_1_step, 'object')))
        yield '</code>'
        if (environment.getattr(l_1_step, 'added') or environment.getattr(l_1_step, 'removed')):
            pass
            yield ' +'
            yield escape(environment.getattr(l_1_step, 'added'))
            yield ' −'
            yield escape(environment.getattr(l_1_step, 'removed'))
        yield '</summary>\n<div class="inside">\n<p>'
        yield escape(t_5(t_6((environment.getattr(l_1_step, 'error') or environment.getattr(l_1_step, 'reason')))))
        yield '</p>\n'
        if environment.getattr(l_1_step, 'intent'):
            pass
            yield '<blockquote>💬 '
            yield escape(t_5(environment.getattr(l_1_step, 'intent')))
            yield '</blockquote>'
        for l_2_concern in environment.getattr(l_1_step, 'concerns'):
            _loop_vars = {}
            pass
            yield '<p>'
            yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'A second model worries: %(concern)s', concern=t_5(l_2_concern), _loop_vars=_loop_vars))
            yield '</p>\n'
        l_2_concern = missing
        if environment.getattr(l_1_step, 'call'):
            pass
            yield '<pre>'
            yield escape(t_5(environment.getattr(l_1_step, 'call')))
            yield '</pre>'
        if environment.getattr(l_1_step, 'rehearsed'):
            pass
            yield '<p>🧪 '
            yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Rehearsed in the sandbox, on a copy: %(ended)s', ended=t_5(t_6(environment.getattr(l_1_step, 'rehearsed'))), _loop_vars=_loop_vars))
            yield '</p>'
        if environment.getattr(l_1_step, 'unsteady'):
            pass
            yield '<p>⚠️ '
            yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'A second try came out otherwise, so applying may be refused:', _loop_vars=_loop_vars))
            for l_2_path in environment.getattr(l_1_step, 'unsteady'):
                _loop_vars = {}
                pass
                yield ' <code>'
                yield escape(t_5(l_2_path))
                yield '</code>'
            l_2_path = missing
            yield '</p>'
        if environment.getattr(l_1_step, 'output'):
            pass
            yield '<p>'
            yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'What it said:', _loop_vars=_loop_vars))
            yield '</p>\n<pre>'
            yield escape(t_5(environment.getattr(l_1_step, 'output')))
            yield '</pre>'
        for l_2_file in environment.getattr(l_1_step, 'files'):
            _loop_vars = {}
            pass
            yield '<p><code>'
            yield escape(t_5(environment.getattr(l_2_file, 'path')))
            yield '</code>'
            if environment.getattr(l_2_file, 'mode'):
                pass
                yield ' · '
                yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'New mode: %(mode)s', mode=environment.getattr(l_2_file, 'mode'), _loop_vars=_loop_vars))
            yield '</p>\n'
            if (not environment.getattr(l_2_file, 'is_told')):
                pass
                yield '<p>⚠️ '
                yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'What is shown here is not all that this file would hold: read the plan record.', _loop_vars=_loop_vars))
                yield '</p>'
            if environment.getattr(environment.getattr(l_2_file, 'patch'), 'text'):
                pass
                yield '<table class="diff">\n<colgroup><col style="width:52px"><col><col style="width:52px"><col></colgroup>\n<thead hidden><tr><th scope="col">'
                yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Line', _loop_vars=_loop_vars))
                yield '</th><th scope="col">'
                yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Before', _loop_vars=_loop_vars))
                yield '</th><th scope="col">'
                yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Line', _loop_vars=_loop_vars))
                yield '</th><th scope="col">'
                yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'After', _loop_vars=_loop_vars))
                yield '</th></tr></thead>\n'
                for l_3_row in t_4(environment.getattr(environment.getattr(l_2_file, 'patch'), 'text')):
                    _loop_vars = {}
                    pass
                    if environment.getattr(l_3_row, 'is_hunk'):
                        pass
                        yield '<tr class="hunk"><td class="n"></td><td colspan="3">'
                        yield escape(environment.getattr(environment.getattr(l_3_row, 'old'), 'text'))
                        yield '</td></tr>\n'
                    else:
                        pass
                        yield '<tr><td class="n '
                        yield escape(environment.getattr(environment.getattr(l_3_row, 'old'), 'mark'))
                        yield '">'
                        yield escape((environment.getattr(environment.getattr(l_3_row, 'old'), 'number') if (not t_8(environment.getattr(environment.getattr(l_3_row, 'old'), 'number'))) else cond_expr_undefined("the inline if-expression on line 131 in 'page.html.j2' evaluated to false and no else section was defined.")))
                        yield '</td><td class="'
                        yield escape(environment.getattr(environment.getattr(l_3_row, 'old'), 'mark'))
                        yield '">'
                        yield escape(environment.getattr(environment.getattr(l_3_row, 'old'), 'text'))
                        yield '</td><td class="n '
                        yield escape(environment.getattr(environment.getattr(l_3_row, 'new'), 'mark'))
                        yield '">'
                        yield escape((environment.getattr(environment.getattr(l_3_row, 'new'), 'number') if (not t_8(environment.getattr(environment.getattr(l_3_row, 'new'), 'number'))) else cond_expr_undefined("the inline if-expression on line 131 in 'page.html.j2' evaluated to false and no else section was defined.")))
                        yield '</td><td class="'
                        yield escape(environment.getattr(environment.getattr(l_3_row, 'new'), 'mark'))
                        yield '">'
                        yield escape(environment.getattr(environment.getattr(l_3_row, 'new'), 'text'))
                        yield '</td></tr>\n'
                l_3_row = missing
                yield '</table>\n'
        l_2_file = missing
        yield '<p class="soft">'
        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Rule %(rule)s, from %(source)s', rule=t_5(environment.getattr(l_1_step, 'rule')), source=t_5(environment.getattr(l_1_step, 'source')), _loop_vars=_loop_vars))
        if environment.getattr(l_1_step, 'depends_on'):
            pass
            yield ' · '
            yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'builds on step %(steps)s', steps=t_3(environment.getattr(l_1_step, 'depends_on')), _loop_vars=_loop_vars))
        yield '</p>\n</div>\n</details>\n'
    l_1_step = missing
    yield '<footer class="soft">dryrun-bot '
    yield escape(t_5(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'bot_version')))
    yield '</footer>\n</main>\n</body>\n</html>'

blocks = {}
debug_info = '2=69&9=71&60=77&62=79&63=86&67=96&68=100&69=104&70=108&71=112&72=116&73=130&75=140&76=145&77=150&79=153&80=157&84=161&85=164&86=166&88=168&89=171&90=173&91=175&92=177&93=181&97=194&99=196&100=198&101=202&102=206&103=210&104=214&106=218&107=222&108=226&110=241&111=243&112=248&113=252&115=255&116=260&117=265&118=277&119=282&120=284&121=288&122=295&123=300&126=303&127=311&128=314&129=317&131=322&137=342&141=350'
