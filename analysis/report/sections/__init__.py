"""The sections of a report, a module each: from the material to sentences, tables and charts."""
