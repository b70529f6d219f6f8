"""The author's side: from YAML files and their schemas to one checked game document.

::

    strict_yaml     text -> plain data, every value with its place      (yaml_* are its parts)
    schema_check    plain data + JSON Schema -> errors in plain words   (schema_* are its parts)
    spec_home       where schemas and games lie, installed or in a checkout
"""
