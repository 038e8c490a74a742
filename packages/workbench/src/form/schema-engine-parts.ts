// This module is separate, so that the page can load the schema engine after the first paint.
export { dereference, format, type SchemaDraft, validate } from '@cfworker/json-schema';
