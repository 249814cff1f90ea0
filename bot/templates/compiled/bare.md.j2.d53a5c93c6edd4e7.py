from jinja2.runtime import LoopContext, Macro, Markup, Namespace, TemplateNotFound, TemplateReference, TemplateRuntimeError, Undefined, escape, identity, internalcode, markup_join, missing, str_join
name = 'bare.md.j2'

def root(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    l_0__ = resolve('_')
    l_0_title = resolve('title')
    pass
    yield '### '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), (undefined(name='title') if l_0_title is missing else l_0_title))))
    yield '\n\n'
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), "The rest of this answer holds text that can't be shown here safely. It is in the workflow run's log.")))

blocks = {}
debug_info = '1=14&3=16'
