"""The conformance kit: it talks to an implementation and judges what it hears.

::

    driver   -> one implementation as a process: requests in, answers or a breach out
    wire        what a line may be: encoding, reading, the kinds of breach   (pure)
    children    starting, feeding and ending a process group                 (effects)

The kit imports `ludex`; `ludex` never imports the kit.
"""
