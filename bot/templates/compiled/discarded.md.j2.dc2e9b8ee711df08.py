from jinja2.runtime import LoopContext, Macro, Markup, Namespace, TemplateNotFound, TemplateReference, TemplateRuntimeError, Undefined, escape, identity, internalcode, markup_join, missing, str_join
name = 'discarded.md.j2'

def root(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    l_0__ = resolve('_')
    l_0_title = resolve('title')
    l_0_discarded_by = resolve('discarded_by')
    l_0_plan = resolve('plan')
    l_0_slash = resolve('slash')
    l_0_others = resolve('others')
    l_0_ngettext = resolve('ngettext')
    try:
        t_1 = environment.filters['code']
    except KeyError:
        @internalcode
        def t_1(*unused):
            raise TemplateRuntimeError("No filter named 'code' found.")
    pass
    yield '### 🗑️ '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), (undefined(name='title') if l_0_title is missing else l_0_title))))
    yield '\n\n'
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), "%(login)s discarded plan %(digest)s. It can't be applied any more; %(command)s makes a fresh one.", login=t_1((undefined(name='discarded_by') if l_0_discarded_by is missing else l_0_discarded_by), 60), digest=t_1(environment.getattr((undefined(name='plan') if l_0_plan is missing else l_0_plan), 'short_digest')), command=markup_join(('`', (undefined(name='slash') if l_0_slash is missing else l_0_slash), 'plan`', )))))
    if (undefined(name='others') if l_0_others is missing else l_0_others):
        pass
        yield ' '
        yield escape(environment.finalize(context.call((undefined(name='ngettext') if l_0_ngettext is missing else l_0_ngettext), '%(num)d older plan was discarded with it.', '%(num)d older plans were discarded with it.', (undefined(name='others') if l_0_others is missing else l_0_others))))

blocks = {}
debug_info = '1=25&3=27&4=28'
