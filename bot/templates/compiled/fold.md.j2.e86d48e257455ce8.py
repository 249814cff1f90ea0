from jinja2.runtime import LoopContext, Macro, Markup, Namespace, TemplateNotFound, TemplateReference, TemplateRuntimeError, Undefined, escape, identity, internalcode, markup_join, missing, str_join
name = 'fold.md.j2'

def root(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    l_0_action = l_0_verdict = l_0_inside = missing
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
        t_3 = environment.filters['length']
    except KeyError:
        @internalcode
        def t_3(*unused):
            raise TemplateRuntimeError("No filter named 'length' found.")
    try:
        t_4 = environment.filters['listed']
    except KeyError:
        @internalcode
        def t_4(*unused):
            raise TemplateRuntimeError("No filter named 'listed' found.")
    try:
        t_5 = environment.filters['quoted']
    except KeyError:
        @internalcode
        def t_5(*unused):
            raise TemplateRuntimeError("No filter named 'quoted' found.")
    try:
        t_6 = environment.filters['said']
    except KeyError:
        @internalcode
        def t_6(*unused):
            raise TemplateRuntimeError("No filter named 'said' found.")
    try:
        t_7 = environment.filters['spoken']
    except KeyError:
        @internalcode
        def t_7(*unused):
            raise TemplateRuntimeError("No filter named 'spoken' found.")
    pass
    included_template = environment.get_template('words.md.j2', 'fold.md.j2')._get_default_module(context)
    l_0_action = getattr(included_template, 'action', missing)
    if l_0_action is missing:
        l_0_action = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'fold.md.j2') does not export the requested name 'action'", name='action')
    l_0_verdict = getattr(included_template, 'verdict', missing)
    if l_0_verdict is missing:
        l_0_verdict = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'fold.md.j2') does not export the requested name 'verdict'", name='verdict')
    context.vars.update({'action': l_0_action, 'verdict': l_0_verdict})
    context.exported_vars.difference_update(('action', 'verdict'))
    def macro(l_1_fold):
        t_8 = []
        l_1__ = resolve('_')
        l_1_ngettext = resolve('ngettext')
        l_1_step = missing
        if l_1_fold is missing:
            l_1_fold = undefined("parameter 'fold' was not provided", name='fold')
        pass
        l_1_step = environment.getattr(l_1_fold, 'step')
        if (environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'badge') != 'allow'):
            pass
            t_8.extend((
                '**',
                escape(environment.finalize(context.call((undefined(name='verdict') if l_0_verdict is missing else l_0_verdict), environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'badge')))),
                '**: ',
                escape(environment.finalize(t_5(t_7((environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'error') or environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'reason'))), 500))),
                '\n\n',
            ))
        if environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'intent'):
            pass
            t_8.extend((
                escape(environment.finalize(t_6(markup_join(('💬 ', environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'intent'), )), 500))),
                '\n\n',
            ))
        if environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'expected'):
            pass
            t_8.extend((
                '- ',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'A second model expects: %(effect)s', effect=t_5(environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'expected'), 200)))),
                '\n',
            ))
        for l_2_concern in environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'concerns')[:5]:
            _loop_vars = {}
            pass
            t_8.extend((
                '- ',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'A second model worries: %(concern)s', concern=t_5(l_2_concern, 200), _loop_vars=_loop_vars))),
                '\n',
            ))
        l_2_concern = missing
        t_8.append(
            '\n',
        )
        if environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'is_performed'):
            pass
            t_8.extend((
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), '[DRY-RUN] Would execute: %(call)s', call=t_1(environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'spelled'), 120)))),
                '\n',
            ))
        else:
            pass
            t_8.extend((
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), '[DRY-RUN] Would not execute: %(call)s', call=t_1(environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'spelled'), 120)))),
                '\n',
            ))
        t_8.append(
            '\n',
        )
        if environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'rehearsed'):
            pass
            t_8.extend((
                '🧪 ',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'Rehearsed in the sandbox, on a copy: %(ended)s', ended=t_5(t_7(environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'rehearsed')), 60)))),
                '\n\n',
            ))
        if environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'unsteady'):
            pass
            t_8.extend((
                '⚠️ ',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'A second try came out otherwise, so applying may be refused:'))),
            ))
            for l_2_path in environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'unsteady')[:5]:
                _loop_vars = {}
                pass
                t_8.extend((
                    ' ',
                    escape(environment.finalize(t_1(l_2_path, 120))),
                ))
            l_2_path = missing
            if (t_3(environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'unsteady')) > 5):
                pass
                t_8.append(
                    ' …',
                )
            t_8.append(
                '\n\n',
            )
        for l_2_block in environment.getattr(l_1_fold, 'blocks'):
            _loop_vars = {}
            pass
            if environment.getattr(l_2_block, 'is_output'):
                pass
                t_8.extend((
                    escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'What it said:', _loop_vars=_loop_vars))),
                    '\n\n',
                ))
            if environment.getattr(l_2_block, 'file'):
                pass
                if (t_3(environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'files')) > 1):
                    pass
                    t_8.extend((
                        escape(environment.finalize(context.call((undefined(name='action') if l_0_action is missing else l_0_action), environment.getattr(environment.getattr(l_2_block, 'file'), 'verb'), t_1(environment.getattr(environment.getattr(l_2_block, 'file'), 'path')), '', _loop_vars=_loop_vars))),
                        '\n\n',
                    ))
                if environment.getattr(environment.getattr(l_2_block, 'file'), 'mode'):
                    pass
                    t_8.extend((
                        escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'New mode: %(mode)s', mode=t_1(environment.getattr(environment.getattr(l_2_block, 'file'), 'mode')), _loop_vars=_loop_vars))),
                        '\n\n',
                    ))
                if (not environment.getattr(environment.getattr(l_2_block, 'file'), 'is_told')):
                    pass
                    t_8.extend((
                        '⚠️ ',
                        escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'What is shown here is not all that this file would hold: read the plan record.', _loop_vars=_loop_vars))),
                        '\n\n',
                    ))
            if environment.getattr(l_2_block, 'text'):
                pass
                t_8.extend((
                    escape(environment.finalize(t_2(environment.getattr(l_2_block, 'text'), ('diff' if environment.getattr(l_2_block, 'file') else 'text')))),
                    '\n\n',
                ))
            if environment.getattr(l_2_block, 'left_out'):
                pass
                t_8.extend((
                    '✂️ ',
                    escape(environment.finalize(context.call((undefined(name='ngettext') if l_1_ngettext is missing else l_1_ngettext), '%(num)d more line is not shown here; the plan record has it.', '%(num)d more lines are not shown here; the plan record has them.', environment.getattr(l_2_block, 'left_out'), _loop_vars=_loop_vars))),
                    '\n\n',
                ))
            elif (((environment.getattr(l_2_block, 'file') and (not environment.getattr(l_2_block, 'text'))) and environment.getattr(environment.getattr(l_2_block, 'file'), 'is_told')) and (not environment.getattr(environment.getattr(l_2_block, 'file'), 'mode'))):
                pass
                t_8.extend((
                    escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'The file is empty.', _loop_vars=_loop_vars))),
                    '\n\n',
                ))
        l_2_block = missing
        if environment.getattr(l_1_fold, 'more'):
            pass
            t_8.extend((
                '✂️ ',
                escape(environment.finalize(context.call((undefined(name='ngettext') if l_1_ngettext is missing else l_1_ngettext), '%(num)d more file is not shown here; the plan record has it.', '%(num)d more files are not shown here; the plan record has them.', environment.getattr(l_1_fold, 'more')))),
                '\n\n',
            ))
        t_8.extend((
            '<sub>',
            escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'Rule %(rule)s, from %(source)s', rule=t_1(environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'rule'), 80), source=t_1(environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'source'), 80)))),
        ))
        if environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'depends_on'):
            pass
            t_8.extend((
                ' · ',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'builds on step %(steps)s', steps=t_4(environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'depends_on'))))),
            ))
        if environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'conditional_on'):
            pass
            t_8.extend((
                ' · ',
                escape(environment.finalize(context.call((undefined(name='_') if l_1__ is missing else l_1__), 'conditional on step %(steps)s', steps=t_4(environment.getattr((undefined(name='step') if l_1_step is missing else l_1_step), 'conditional_on'))))),
            ))
        t_8.append(
            '</sub>\n',
        )
        return concat(t_8)
    context.exported_vars.add('inside')
    context.vars['inside'] = l_0_inside = Macro(environment, macro, 'inside', ('fold',), False, False, False, context.eval_ctx.autoescape)

blocks = {}
debug_info = '1=54&2=63&3=71&4=72&5=76&8=81&9=84&12=87&13=91&15=94&16=99&19=106&20=109&22=115&25=121&26=125&29=128&30=132&31=134&35=150&36=153&37=156&40=159&41=161&42=164&45=167&46=170&49=173&50=177&54=180&55=183&58=186&59=190&61=193&62=196&66=200&67=204&70=209&71=211&72=217'
