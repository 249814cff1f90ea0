from jinja2.runtime import LoopContext, Macro, Markup, Namespace, TemplateNotFound, TemplateReference, TemplateRuntimeError, Undefined, escape, identity, internalcode, markup_join, missing, str_join
name = 'words.md.j2'

def root(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    l_0_verdict = l_0_sign = l_0_action = l_0_lines = l_0_commit_name = l_0_until = l_0_run = l_0_progress = l_0_change_kind = missing
    try:
        t_1 = environment.filters['code']
    except KeyError:
        @internalcode
        def t_1(*unused):
            raise TemplateRuntimeError("No filter named 'code' found.")
    pass
    def macro(l_1_badge):
        t_2 = []
        l_1__ = resolve('_')
        if l_1_badge is missing:
            l_1_badge = undefined("parameter 'badge' was not provided", name='badge')
        pass
        if (l_1_badge == 'allow'):
            pass
            t_2.extend((
                '✅&nbsp;',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'allow'))),
            ))
        elif (l_1_badge == 'ask'):
            pass
            t_2.extend((
                '✋&nbsp;',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'ask'))),
            ))
        elif (l_1_badge == 'deny'):
            pass
            t_2.extend((
                '⛔&nbsp;',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'deny'))),
            ))
        else:
            pass
            t_2.extend((
                '⚠️&nbsp;',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'failed'))),
            ))
        return concat(t_2)
    context.exported_vars.add('verdict')
    context.vars['verdict'] = l_0_verdict = Macro(environment, macro, 'verdict', ('badge',), False, False, False, context.eval_ctx.autoescape)
    def macro(l_1_badge):
        t_3 = []
        if l_1_badge is missing:
            l_1_badge = undefined("parameter 'badge' was not provided", name='badge')
        pass
        t_3.append(
            escape(environment.finalize(context.call(environment.getattr({'allow': '✅', 'ask': '✋', 'deny': '⛔'}, 'get'), l_1_badge, '⚠️'))),
        )
        return concat(t_3)
    context.exported_vars.add('sign')
    context.vars['sign'] = l_0_sign = Macro(environment, macro, 'sign', ('badge',), False, False, False, context.eval_ctx.autoescape)
    def macro(l_1_verb, l_1_target, l_1_tool):
        t_4 = []
        l_1__ = resolve('_')
        if l_1_verb is missing:
            l_1_verb = undefined("parameter 'verb' was not provided", name='verb')
        if l_1_target is missing:
            l_1_target = undefined("parameter 'target' was not provided", name='target')
        if l_1_tool is missing:
            l_1_tool = undefined("parameter 'tool' was not provided", name='tool')
        pass
        if (l_1_verb == 'create'):
            pass
            t_4.append(
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'create %(path)s', path=l_1_target))),
            )
        elif (l_1_verb == 'edit'):
            pass
            t_4.append(
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'edit %(path)s', path=l_1_target))),
            )
        elif (l_1_verb == 'delete'):
            pass
            t_4.append(
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'delete %(path)s', path=l_1_target))),
            )
        elif (l_1_verb == 'mode'):
            pass
            t_4.append(
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'change the mode of %(path)s', path=l_1_target))),
            )
        elif (l_1_verb == 'several'):
            pass
            t_4.append(
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'change %(path)s and more', path=l_1_target))),
            )
        elif (l_1_verb == 'run'):
            pass
            t_4.append(
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'run %(command)s', command=l_1_target))),
            )
        else:
            pass
            t_4.extend((
                escape(environment.finalize(l_1_tool)),
                ' ',
                escape(environment.finalize(l_1_target)),
            ))
        return concat(t_4)
    context.exported_vars.add('action')
    context.vars['action'] = l_0_action = Macro(environment, macro, 'action', ('verb', 'target', 'tool'), False, False, False, context.eval_ctx.autoescape)
    def macro(l_1_added, l_1_removed):
        t_5 = []
        if l_1_added is missing:
            l_1_added = undefined("parameter 'added' was not provided", name='added')
        if l_1_removed is missing:
            l_1_removed = undefined("parameter 'removed' was not provided", name='removed')
        pass
        if (l_1_added or l_1_removed):
            pass
            t_5.extend((
                ' +',
                escape(environment.finalize(l_1_added)),
                ' −',
                escape(environment.finalize(l_1_removed)),
            ))
        return concat(t_5)
    context.exported_vars.add('lines')
    context.vars['lines'] = l_0_lines = Macro(environment, macro, 'lines', ('added', 'removed'), False, False, False, context.eval_ctx.autoescape)
    def macro(l_1_sha, l_1_url):
        t_6 = []
        if l_1_sha is missing:
            l_1_sha = undefined("parameter 'sha' was not provided", name='sha')
        if l_1_url is missing:
            l_1_url = undefined("parameter 'url' was not provided", name='url')
        pass
        if l_1_url:
            pass
            t_6.extend((
                '[',
                escape(environment.finalize(t_1(l_1_sha[:7]))),
                '](',
                escape(environment.finalize(l_1_url)),
                ')',
            ))
        else:
            pass
            t_6.append(
                escape(environment.finalize(t_1(l_1_sha[:7]))),
            )
        return concat(t_6)
    context.exported_vars.add('commit_name')
    context.vars['commit_name'] = l_0_commit_name = Macro(environment, macro, 'commit_name', ('sha', 'url'), False, False, False, context.eval_ctx.autoescape)
    def macro(l_1_plan):
        t_7 = []
        l_1__ = resolve('_')
        if l_1_plan is missing:
            l_1_plan = undefined("parameter 'plan' was not provided", name='plan')
        pass
        t_7.append(
            escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'Plan %(digest)s, good until %(until)s UTC.', digest=markup_join(('`', environment.getattr(l_1_plan, 'digest'), '`', )), until=environment.getattr(l_1_plan, 'until')))),
        )
        return concat(t_7)
    context.exported_vars.add('until')
    context.vars['until'] = l_0_until = Macro(environment, macro, 'until', ('plan',), False, False, False, context.eval_ctx.autoescape)
    def macro(l_1_url):
        t_8 = []
        l_1__ = resolve('_')
        if l_1_url is missing:
            l_1_url = undefined("parameter 'url' was not provided", name='url')
        pass
        if l_1_url:
            pass
            t_8.extend((
                ' · [',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'Workflow run'))),
                '](',
                escape(environment.finalize(l_1_url)),
                ')',
            ))
        return concat(t_8)
    context.exported_vars.add('run')
    context.vars['run'] = l_0_run = Macro(environment, macro, 'run', ('url',), False, False, False, context.eval_ctx.autoescape)
    def macro(l_1_word):
        t_9 = []
        l_1__ = resolve('_')
        if l_1_word is missing:
            l_1_word = undefined("parameter 'word' was not provided", name='word')
        pass
        if (l_1_word == 'waiting'):
            pass
            t_9.extend((
                '⬜&nbsp;',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'not tried yet'))),
            ))
        elif (l_1_word == 'tried'):
            pass
            t_9.extend((
                '⏳&nbsp;',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'being tried'))),
            ))
        elif (l_1_word == 'done'):
            pass
            t_9.extend((
                '✅&nbsp;',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'done'))),
            ))
        elif (l_1_word == 'failed'):
            pass
            t_9.extend((
                '⚠️&nbsp;',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'failed'))),
            ))
        elif (l_1_word == 'left'):
            pass
            t_9.extend((
                '➖&nbsp;',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'not tried'))),
            ))
        else:
            pass
            t_9.extend((
                '❓&nbsp;',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'unknown: look there, it is not tried again'))),
            ))
        return concat(t_9)
    context.exported_vars.add('progress')
    context.vars['progress'] = l_0_progress = Macro(environment, macro, 'progress', ('word',), False, False, False, context.eval_ctx.autoescape)
    def macro(l_1_group, l_1_name):
        t_10 = []
        l_1__ = resolve('_')
        if l_1_group is missing:
            l_1_group = undefined("parameter 'group' was not provided", name='group')
        if l_1_name is missing:
            l_1_name = undefined("parameter 'name' was not provided", name='name')
        pass
        if environment.getattr(l_1_group, 'was'):
            pass
            t_10.extend((
                escape(environment.finalize(context.call((undefined(name='verdict') if l_0_verdict is missing else l_0_verdict), environment.getattr(l_1_group, 'was')))),
                ' → ',
                escape(environment.finalize(context.call((undefined(name='verdict') if l_0_verdict is missing else l_0_verdict), environment.getattr(l_1_group, 'now')))),
            ))
        elif (environment.getattr(l_1_group, 'what') == 'new action'):
            pass
            t_10.extend((
                '➕ ',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'new action'))),
            ))
        elif (environment.getattr(l_1_group, 'what') == 'missing action'):
            pass
            t_10.extend((
                '➖ ',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'missing action'))),
            ))
        elif (environment.getattr(l_1_group, 'what') == 'other arguments'):
            pass
            t_10.extend((
                '✏️ ',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'other arguments'))),
            ))
        elif (environment.getattr(l_1_group, 'what') == 'other action'):
            pass
            t_10.extend((
                '🔀 ',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'other action'))),
            ))
        else:
            pass
            t_10.append(
                escape(environment.finalize(l_1_name)),
            )
        return concat(t_10)
    context.exported_vars.add('change_kind')
    context.vars['change_kind'] = l_0_change_kind = Macro(environment, macro, 'change_kind', ('group', 'name'), False, False, False, context.eval_ctx.autoescape)

blocks = {}
debug_info = '1=18&2=24&3=30&4=36&5=46&8=51&9=57&11=62&12=72&13=77&14=82&15=87&16=92&17=97&18=105&21=112&22=119&24=130&25=137&27=154&28=161&30=166&31=172&33=184&34=190&35=196&36=202&37=208&38=214&39=224&42=229&43=237&44=244&45=250&46=256&47=262&48=271'
