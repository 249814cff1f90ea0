"""Plan, result, refusal, error -> Markdown for a pull request. Pure, and every word of others in it is inert.

Every function returns a `Rendered`: a body to post, and the fault when a bare one had to be taken instead.
"""
