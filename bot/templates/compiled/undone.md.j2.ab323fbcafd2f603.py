from jinja2.runtime import LoopContext, Macro, Markup, Namespace, TemplateNotFound, TemplateReference, TemplateRuntimeError, Undefined, escape, identity, internalcode, markup_join, missing, str_join
name = 'undone.md.j2'

def root(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    l_0__ = resolve('_')
    l_0_title = resolve('title')
    l_0_undone_by = resolve('undone_by')
    l_0_undone = resolve('undone')
    l_0_commit = resolve('commit')
    l_0_commit_url = resolve('commit_url')
    l_0_run_url = resolve('run_url')
    l_0_commit_name = missing
    try:
        t_1 = environment.filters['code']
    except KeyError:
        @internalcode
        def t_1(*unused):
            raise TemplateRuntimeError("No filter named 'code' found.")
    pass
    included_template = environment.get_template('words.md.j2', 'undone.md.j2')._get_default_module(context)
    l_0_commit_name = getattr(included_template, 'commit_name', missing)
    if l_0_commit_name is missing:
        l_0_commit_name = undefined(f"the template {included_template.__name__!r} (imported on line 1 in 'undone.md.j2') does not export the requested name 'commit_name'", name='commit_name')
    context.vars['commit_name'] = l_0_commit_name
    context.exported_vars.discard('commit_name')
    yield '### ↩️ '
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), (undefined(name='title') if l_0_title is missing else l_0_title))))
    yield '\n\n'
    yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), '%(login)s had commit %(undone)s taken back, in commit %(commit)s.', login=t_1((undefined(name='undone_by') if l_0_undone_by is missing else l_0_undone_by), 60), undone=t_1((undefined(name='undone') if l_0_undone is missing else l_0_undone)[:7]), commit=context.call((undefined(name='commit_name') if l_0_commit_name is missing else l_0_commit_name), environment.getattr((undefined(name='commit') if l_0_commit is missing else l_0_commit), 'sha'), (undefined(name='commit_url') if l_0_commit_url is missing else l_0_commit_url)))))
    yield '\n\n'
    if (undefined(name='run_url') if l_0_run_url is missing else l_0_run_url):
        pass
        yield '<sub>['
        yield escape(environment.finalize(context.call((undefined(name='_') if l_0__ is missing else l_0__), 'Workflow run')))
        yield ']('
        yield escape(environment.finalize((undefined(name='run_url') if l_0_run_url is missing else l_0_run_url)))
        yield ')</sub>'

blocks = {}
debug_info = '1=25&2=32&4=34&6=36'
