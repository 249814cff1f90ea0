from jinja2.runtime import LoopContext, Macro, Markup, Namespace, TemplateNotFound, TemplateReference, TemplateRuntimeError, Undefined, escape, identity, internalcode, markup_join, missing, str_join
name = 'impact.md.j2'

def root(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    l_0_impacts = resolve('impacts')
    l_0_findings = resolve('findings')
    l_0_estimate = resolve('estimate')
    l_0__ = resolve('_')
    l_0_slash = resolve('slash')
    l_0_run_url = resolve('run_url')
    l_0_change_kind = l_0_run = missing
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
        t_3 = environment.filters['html_code']
    except KeyError:
        @internalcode
        def t_3(*unused):
            raise TemplateRuntimeError("No filter named 'html_code' found.")
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
    included_template = environment.get_template('words.md.j2', 'impact.md.j2')._get_default_module(context)
    l_0_change_kind = getattr(included_template, 'change_kind', missing)
    if l_0_change_kind is missing:
        l_0_change_kind = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'impact.md.j2') does not export the requested name 'change_kind'", name='change_kind')
    l_0_run = getattr(included_template, 'run', missing)
    if l_0_run is missing:
        l_0_run = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'impact.md.j2') does not export the requested name 'run'", name='run')
    context.vars.update({'change_kind': l_0_change_kind, 'run': l_0_run})
    context.exported_vars.difference_update(('change_kind', 'run'))
    l_1_loop = missing
    for l_1_impact, l_1_loop in LoopContext((undefined(name='impacts') if l_0_impacts is missing else l_0_impacts), undefined):
        l_1_ngettext = resolve('ngettext')
        _loop_vars = {}
        pass
        if (not environment.getattr(l_1_impact, 'runs')):
            pass
            yield '### 🔁 '
            yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'There are no past runs to replay yet', _loop_vars=_loop_vars)))
            yield '\n\n'
            yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Runs are recorded from now on, and the next change of the rules can be tried on them.', _loop_vars=_loop_vars)))
            yield '\n\n'
        elif environment.getattr(l_1_impact, 'changed'):
            pass
            yield '### 🔁 '
            yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_1_ngettext is missing else l_1_ngettext), 'This change alters %(changed)d of %(num)d past run', 'This change alters %(changed)d of %(num)d past runs', environment.getattr(l_1_impact, 'runs'), changed=environment.getattr(l_1_impact, 'changed'), _loop_vars=_loop_vars)))
            yield '\n\n'
        else:
            pass
            yield '### 🔁 '
            yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_1_ngettext is missing else l_1_ngettext), 'This change alters none of %(num)d past run', 'This change alters none of %(num)d past runs', environment.getattr(l_1_impact, 'runs'), _loop_vars=_loop_vars)))
            yield '\n\n'
        if (environment.getattr(l_1_impact, 'kind') == 'policy'):
            pass
            yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Recorded actions were judged again under the changed policy. No model was asked, and nothing was run.', _loop_vars=_loop_vars)))
            yield '\n'
        elif (environment.getattr(l_1_impact, 'kind') == 'tools'):
            pass
            yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), "Recorded words of the model went through today's tools, on the recorded files.", _loop_vars=_loop_vars)))
            yield '\n'
        else:
            pass
            yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'The model was asked again. It got the recorded answers until it asked for something else, and then worked on the files.', _loop_vars=_loop_vars)))
            if t_8(environment.getattr(l_1_impact, 'cost')):
                pass
                yield ' '
                yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'What it cost is not known.', _loop_vars=_loop_vars)))
            else:
                pass
                yield ' '
                yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'It cost %(usd)s USD.', usd=t_7(environment.getattr(l_1_impact, 'cost')), _loop_vars=_loop_vars)))
            yield '\n'
        yield '\n'
        if environment.getattr(l_1_impact, 'groups'):
            pass
            yield '| '
            yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Change', _loop_vars=_loop_vars)))
            yield ' | '
            yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Runs', _loop_vars=_loop_vars)))
            yield ' |\n|:--|--:|\n'
            for l_2_group in environment.getattr(l_1_impact, 'groups'):
                _loop_vars = {}
                pass
                yield '| '
                yield escape(environment.finalize(context.call((undefined(name='change_kind') if l_0_change_kind is missing else l_0_change_kind), l_2_group, t_1(t_2(environment.getattr(l_2_group, 'what'), 60)), _loop_vars=_loop_vars)))
                yield ' | '
                yield escape(environment.finalize(environment.getattr(l_2_group, 'runs')))
                yield ' |\n'
            l_2_group = missing
            yield '\n'
            l_2_loop = missing
            for l_2_group, l_2_loop in LoopContext(environment.getattr(l_1_impact, 'groups'), undefined):
                _loop_vars = {}
                pass
                if environment.getattr(l_2_group, 'changes'):
                    pass
                    yield '<details'
                    if (environment.getattr(l_2_loop, 'first') and (environment.getattr(l_1_impact, 'changed') <= 10)):
                        pass
                        yield ' open'
                    yield '>\n<summary>'
                    yield escape(environment.finalize(context.call((undefined(name='change_kind') if l_0_change_kind is missing else l_0_change_kind), l_2_group, t_3(environment.getattr(l_2_group, 'what'), 60), _loop_vars=_loop_vars)))
                    yield ' · '
                    yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_1_ngettext is missing else l_1_ngettext), '%(num)d run', '%(num)d runs', environment.getattr(l_2_group, 'runs'), _loop_vars=_loop_vars)))
                    yield '</summary>\n\n| '
                    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Run', _loop_vars=_loop_vars)))
                    yield ' | '
                    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'First action that differs', _loop_vars=_loop_vars)))
                    yield ' | '
                    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Before', _loop_vars=_loop_vars)))
                    yield ' | '
                    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'After', _loop_vars=_loop_vars)))
                    yield ' |\n|:--|:--|:--|:--|\n'
                    for l_3_change in environment.getattr(l_2_group, 'changes'):
                        _loop_vars = {}
                        pass
                        yield '| '
                        if environment.getattr(l_3_change, 'link'):
                            pass
                            yield '['
                            yield escape(environment.finalize(t_1(t_2(environment.getattr(l_3_change, 'name'), 60))))
                            yield ']('
                            yield escape(environment.finalize(environment.getattr(l_3_change, 'link')))
                            yield ')'
                        else:
                            pass
                            yield escape(environment.finalize(t_1(t_2(environment.getattr(l_3_change, 'name'), 60))))
                        yield ' | '
                        yield escape(environment.finalize(environment.getattr(l_3_change, 'action')))
                        yield ' · '
                        yield escape(environment.finalize(t_1(t_2(environment.getattr(l_3_change, 'about'), 80))))
                        if environment.getattr(l_3_change, 'more'):
                            pass
                            yield ' '
                            yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'and %(num)d more', num=environment.getattr(l_3_change, 'more'), _loop_vars=_loop_vars)))
                        yield ' | '
                        yield escape(environment.finalize(t_1(t_5(environment.getattr(l_3_change, 'before'), 160))))
                        yield ' | '
                        yield escape(environment.finalize(t_1(t_5(environment.getattr(l_3_change, 'after'), 200))))
                        yield ' |\n'
                    l_3_change = missing
                    yield '\n</details>\n'
            l_2_loop = l_2_group = missing
            yield '\n'
            if environment.getattr(l_1_impact, 'hidden'):
                pass
                yield '✂️ '
                yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_1_ngettext is missing else l_1_ngettext), '%(num)d more run is not listed here; the JSON report has it.', '%(num)d more runs are not listed here; the JSON report has them.', environment.getattr(l_1_impact, 'hidden'), _loop_vars=_loop_vars)))
                yield '\n\n'
        if environment.getattr(l_1_impact, 'refused'):
            pass
            yield '> [!WARNING]\n'
            for l_2_why in environment.getattr(l_1_impact, 'refused')[:5]:
                _loop_vars = {}
                pass
                yield '> - '
                yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Not read: %(why)s', why=t_5(l_2_why, 200), _loop_vars=_loop_vars)))
                yield '\n'
            l_2_why = missing
            if (t_4(environment.getattr(l_1_impact, 'refused')) > 5):
                pass
                yield '> - '
                yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'and %(num)d more', num=(t_4(environment.getattr(l_1_impact, 'refused')) - 5), _loop_vars=_loop_vars)))
                yield '\n'
            yield '\n'
        if environment.getattr(l_1_impact, 'left_out'):
            pass
            for (l_2_why, l_2_number) in environment.getattr(l_1_impact, 'left_out'):
                _loop_vars = {}
                pass
                yield '- '
                yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Left out: %(num)d %(why)s', num=l_2_number, why=t_5(l_2_why, 120), _loop_vars=_loop_vars)))
                yield '\n'
            l_2_why = l_2_number = missing
            yield '\n'
        yield '<sub>'
        l_2_loop = missing
        for (l_2_name, l_2_value), l_2_loop in LoopContext(environment.getattr(l_1_impact, 'subject'), undefined):
            _loop_vars = {}
            pass
            yield escape(environment.finalize(t_5(l_2_name, 60)))
            yield ': '
            yield escape(environment.finalize(t_2(l_2_value, 80)))
            if (not environment.getattr(l_2_loop, 'last')):
                pass
                yield ' · '
        l_2_loop = l_2_name = l_2_value = missing
        yield '</sub>\n\n'
    l_1_loop = l_1_impact = l_1_ngettext = missing
    if (undefined(name='findings') if l_0_findings is missing else l_0_findings):
        pass
        yield '> [!NOTE]\n'
        for l_1_finding in (undefined(name='findings') if l_0_findings is missing else l_0_findings)[:8]:
            _loop_vars = {}
            pass
            yield '> - '
            yield escape(environment.finalize(t_5(t_6(l_1_finding), 300)))
            yield '\n'
        l_1_finding = missing
        yield '\n'
    if (undefined(name='estimate') if l_0_estimate is missing else l_0_estimate):
        pass
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'This changes a prompt or the model, too. Comment %(command)s to see what would be decided otherwise: %(estimate)s.', command=markup_join(('`', (undefined(name='slash') if l_0_slash is missing else l_0_slash), 'replay`', )), estimate=t_5((undefined(name='estimate') if l_0_estimate is missing else l_0_estimate), 200))))
        yield '\n\n'
    yield '<sub>'
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Nothing has been changed.')))
    yield escape(environment.finalize(context.call((undefined(name='run') if l_0_run is missing else l_0_run), (undefined(name='run_url') if l_0_run_url is missing else l_0_run_url))))
    yield '</sub>'

blocks = {}
debug_info = '1=66&2=76&3=80&4=83&6=85&8=87&9=90&12=95&15=97&16=99&17=101&18=103&20=107&21=108&25=118&26=121&28=125&29=129&32=136&33=139&34=142&35=146&37=150&39=158&40=162&47=189&48=192&52=194&54=197&55=201&57=204&58=207&62=210&63=212&64=216&68=222&71=234&73=237&74=241&78=245&79=247&82=250'
