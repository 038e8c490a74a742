// Loaded as a file of its own.
export { dereference, format, type SchemaDraft, validate } from '@cfworker/json-schema';
