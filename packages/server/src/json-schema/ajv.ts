// This module has a CommonJS bundle of its own, because it is loaded during a call (dialects.ts).
export { Ajv } from 'ajv';
export { Ajv2019 } from 'ajv/dist/2019.js';
export { Ajv2020 } from 'ajv/dist/2020.js';
export { default as draft06 } from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
