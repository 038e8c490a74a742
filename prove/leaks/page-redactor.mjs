// Redacts the JSON of its input with the redactor of the page, which replaces the Buffer of its process: as in a browser.
import { readFileSync } from 'node:fs';

const input = JSON.parse(readFileSync(0, 'utf8'));
const { redactor } = await import(process.argv[2]);
console.log(JSON.stringify(redactor.value(input)));
