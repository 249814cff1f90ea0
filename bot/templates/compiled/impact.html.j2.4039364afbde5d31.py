from jinja2.runtime import LoopContext, Macro, Markup, Namespace, TemplateNotFound, TemplateReference, TemplateRuntimeError, Undefined, escape, identity, internalcode, markup_join, missing, str_join
name = 'impact.html.j2'

def root(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    l_0_language = resolve('language')
    l_0__ = resolve('_')
    l_0_impact = resolve('impact')
    l_0_ngettext = resolve('ngettext')
    l_0_version = resolve('version')
    try:
        t_1 = environment.filters['shown']
    except KeyError:
        @internalcode
        def t_1(*unused):
            raise TemplateRuntimeError("No filter named 'shown' found.")
    try:
        t_2 = environment.filters['usd']
    except KeyError:
        @internalcode
        def t_2(*unused):
            raise TemplateRuntimeError("No filter named 'usd' found.")
    try:
        t_3 = environment.tests['none']
    except KeyError:
        @internalcode
        def t_3(*unused):
            raise TemplateRuntimeError("No test named 'none' found.")
    pass
    yield '<!doctype html>\n<html lang="'
    yield escape((undefined(name='language') if l_0_language is missing else l_0_language))
    yield '">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n<title>'
    yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Replay'))
    yield ': '
    yield escape(environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'changed'))
    yield ' / '
    yield escape(environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'runs'))
    yield '</title>\n<style>\n:root { --ink: #1f2328; --soft: #59636e; --paper: #fff; --line: #d1d9e0; --band: #f6f8fa; --allow: #1a7f37; --ask: #9a6700;\n  --deny: #d1242f; --other: #8250df; --link: #0969da; }\n@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --paper: #0d1117; --line: #3d444d; --band: #151b23;\n  --allow: #3fb950; --ask: #d29922; --deny: #f85149; --other: #ab7df8; --link: #4493f8; } }\n* { box-sizing: border-box; }\nbody { margin: 0; overflow-wrap: anywhere; background: var(--paper); color: var(--ink); font: 15px/1.55 system-ui, "Segoe UI", "Liberation Sans", sans-serif; }\nmain, header { max-width: 1200px; margin: 0 auto; padding: 0 24px; }\nheader { padding-top: 32px; }\nh1 { font-size: 26px; line-height: 1.25; margin: 0 0 8px; }\nh2 { font-size: 18px; margin: 32px 0 12px; }\na { color: var(--link); }\ncode { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, "Liberation Mono", monospace; background: var(--band); border-radius: 5px; padding: 2px 5px; overflow-wrap: anywhere; }\n.soft { color: var(--soft); }\n.part { display: flex; height: 28px; border-radius: 6px; overflow: hidden; background: var(--band); border: 1px solid var(--line); margin: 16px 0 6px; }\n.part i { display: block; background: var(--ask); min-width: 2px; }\n.chart { display: grid; grid-template-columns: minmax(120px, max-content) 1fr max-content; gap: 6px 12px; align-items: center; margin: 12px 0; }\n.chart i { display: block; height: 18px; min-width: 2px; border-radius: 3px; background: var(--other); }\n.chart .ask { background: var(--ask); } .chart .deny { background: var(--deny); } .chart .allow { background: var(--allow); }\n.scroll { overflow-x: auto; }\ntable { width: 100%; border-collapse: collapse; margin: 8px 0 24px; }\nth, td { text-align: left; vertical-align: top; padding: 6px 10px; border-bottom: 1px solid var(--line); min-width: 90px; }\nth { color: var(--soft); font-weight: 600; }\ndl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; margin: 12px 0; } dt { color: var(--soft); } dd { margin: 0; }\nfooter { margin: 40px 0 32px; }\n@media (max-width: 700px) { main, header { padding-left: 14px; padding-right: 14px; } }\n@media print { body { font-size: 11px; } :root { --ink: #000; --paper: #fff; --band: #f6f8fa; } table { break-inside: auto; } }\n</style>\n</head>\n<body>\n<header>\n<h1>'
    if environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'changed'):
        pass
        yield escape(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), 'This change alters %(changed)d of %(num)d past run', 'This change alters %(changed)d of %(num)d past runs', environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'runs'), changed=environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'changed')))
    else:
        pass
        yield escape(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), 'This change alters none of %(num)d past run', 'This change alters none of %(num)d past runs', environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'runs')))
    yield '</h1>\n<p class="soft">'
    if (environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'kind') == 'policy'):
        pass
        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Recorded actions were judged again under the changed policy. No model was asked, and nothing was run.'))
    elif (environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'kind') == 'tools'):
        pass
        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), "Recorded words of the model went through today's tools, on the recorded files."))
    else:
        pass
        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'The model was asked again. It got the recorded answers until it asked for something else, and then worked on the files.'))
    yield '</p>\n</header>\n<main>\n<div class="part" role="img" aria-label="'
    yield escape(environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'changed'))
    yield ' / '
    yield escape(environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'runs'))
    yield '"><i style="width:'
    yield escape(environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'share'))
    yield '%"></i></div>\n<p class="soft">'
    yield escape(environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'share'))
    yield ' %</p>\n<dl>\n'
    for (l_1_name, l_1_value) in environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'subject'):
        _loop_vars = {}
        pass
        yield '<dt>'
        yield escape(t_1(l_1_name))
        yield '</dt><dd><code>'
        yield escape(t_1(l_1_value))
        yield '</code></dd>\n'
    l_1_name = l_1_value = missing
    if environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'calls'):
        pass
        yield '<dt>'
        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Cost'))
        yield '</dt><dd>'
        if t_3(environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'cost')):
            pass
            yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'What it cost is not known.'))
        else:
            pass
            yield escape(t_2(environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'cost')))
            yield ' USD'
        yield ', '
        yield escape(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), '%(num)d model call', '%(num)d model calls', environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'calls')))
        yield '</dd>\n'
    yield '</dl>\n'
    if environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'groups'):
        pass
        yield '<h2>'
        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Changes by kind'))
        yield '</h2>\n<div class="chart" role="img" aria-label="'
        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Changes by kind'))
        yield '">\n'
        for l_1_group in environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'groups'):
            l_1_kind = resolve('kind')
            _loop_vars = {}
            pass
            yield '<span>'
            yield escape(context.call((undefined(name='kind') if l_1_kind is missing else l_1_kind), l_1_group, _loop_vars=_loop_vars))
            yield '</span><i class="'
            yield escape(environment.getattr(l_1_group, 'now'))
            yield '" style="width:'
            yield escape(environment.getattr(l_1_group, 'share'))
            yield '%"></i><span>'
            yield escape(environment.getattr(l_1_group, 'runs'))
            yield '</span>\n'
        l_1_group = l_1_kind = missing
        yield '</div>\n<h2>'
        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'First changes by tool'))
        yield '</h2>\n<div class="chart" role="img" aria-label="'
        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'First changes by tool'))
        yield '">\n'
        for (l_1_tool, l_1_runs, l_1_share) in environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'tools'):
            _loop_vars = {}
            pass
            yield '<span><code>'
            yield escape(t_1(l_1_tool))
            yield '</code></span><i style="width:'
            yield escape(l_1_share)
            yield '%"></i><span>'
            yield escape(l_1_runs)
            yield '</span>\n'
        l_1_tool = l_1_runs = l_1_share = missing
        yield '</div>\n'
        for l_1_group in environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'groups'):
            l_1_kind = resolve('kind')
            _loop_vars = {}
            pass
            if environment.getattr(l_1_group, 'changes'):
                pass
                yield '<h2>'
                yield escape(context.call((undefined(name='kind') if l_1_kind is missing else l_1_kind), l_1_group, _loop_vars=_loop_vars))
                yield ' · '
                yield escape(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), '%(num)d run', '%(num)d runs', environment.getattr(l_1_group, 'runs'), _loop_vars=_loop_vars))
                yield '</h2>\n<div class="scroll">\n<table>\n<tr><th>'
                yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Run', _loop_vars=_loop_vars))
                yield '</th><th>'
                yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'First action that differs', _loop_vars=_loop_vars))
                yield '</th><th>'
                yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Before', _loop_vars=_loop_vars))
                yield '</th><th>'
                yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'After', _loop_vars=_loop_vars))
                yield '</th></tr>\n'
                for l_2_change in environment.getattr(l_1_group, 'changes'):
                    _loop_vars = {}
                    pass
                    yield '<tr><td>'
                    if environment.getattr(l_2_change, 'link'):
                        pass
                        yield '<a href="'
                        yield escape(environment.getattr(l_2_change, 'link'))
                        yield '" rel="noreferrer nofollow">'
                        yield escape(t_1(environment.getattr(l_2_change, 'name')))
                        yield '</a>'
                    else:
                        pass
                        yield escape(t_1(environment.getattr(l_2_change, 'name')))
                    yield '</td><td>'
                    yield escape(environment.getattr(l_2_change, 'action'))
                    yield ' · <code>'
                    yield escape(t_1(environment.getattr(l_2_change, 'about')))
                    yield '</code>'
                    if environment.getattr(l_2_change, 'more'):
                        pass
                        yield ' '
                        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'and %(num)d more', num=environment.getattr(l_2_change, 'more'), _loop_vars=_loop_vars))
                    yield '</td><td>'
                    yield escape(t_1(environment.getattr(l_2_change, 'before')))
                    yield '</td><td>'
                    yield escape(t_1(environment.getattr(l_2_change, 'after')))
                    yield '</td></tr>\n'
                l_2_change = missing
                yield '</table>\n</div>\n'
        l_1_group = l_1_kind = missing
        if environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'hidden'):
            pass
            yield '<p>'
            yield escape(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), '%(num)d more run is not listed here; the JSON report has it.', '%(num)d more runs are not listed here; the JSON report has them.', environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'hidden')))
            yield '</p>\n'
    if (environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'refused') or environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'left_out')):
        pass
        yield '<h2>'
        yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Not replayed'))
        yield '</h2>\n<ul>\n'
        for l_1_why in environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'refused'):
            _loop_vars = {}
            pass
            yield '<li>'
            yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Not read: %(why)s', why=t_1(l_1_why), _loop_vars=_loop_vars))
            yield '</li>\n'
        l_1_why = missing
        for (l_1_why, l_1_number) in environment.getattr((undefined(name='impact') if l_0_impact is missing else l_0_impact), 'left_out'):
            _loop_vars = {}
            pass
            yield '<li>'
            yield escape(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Left out: %(num)d %(why)s', num=l_1_number, why=t_1(l_1_why), _loop_vars=_loop_vars))
            yield '</li>\n'
        l_1_why = l_1_number = missing
        yield '</ul>\n'
    yield '<footer class="soft">dryrun-bot '
    yield escape((undefined(name='version') if l_0_version is missing else l_0_version))
    yield '</footer>\n</main>\n</body>\n</html>'

blocks = {}
debug_info = '2=35&9=37&41=43&42=50&45=60&46=66&48=68&49=72&51=77&52=80&55=93&56=96&57=98&58=100&59=105&62=115&63=117&64=119&65=123&68=131&69=135&70=138&73=142&74=150&75=154&81=181&82=184&85=186&86=189&88=191&89=195&91=198&92=202&96=207'
