// Writes docs/spec/contract.schema.json from the schemas of @mortise/plugin/contract. With --check: exits with 1 when the file differs.
import { contractSchemaText } from '../packages/plugin/build/contract/index.js';
import { generated } from './generated.mjs';

generated('docs/spec/contract.schema.json', contractSchemaText());
