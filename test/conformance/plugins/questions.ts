import type { CallContext, ElicitAnswer, JsonSchema, RegisterApi, SampleAnswer } from '@mortise/plugin';
import { ask, CONTACT, DEFAULTS, ENUMS, prompt } from './_forms.js';

const MESSAGE: JsonSchema = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };
const PROMPT: JsonSchema = { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] };

const toText = ({ action, content }: ElicitAnswer) => `action=${action}, content=${JSON.stringify(content ?? {})}`;

function wordsOf({ content }: SampleAnswer): string {
  return [content]
    .flat()
    .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join('\n');
}

/** Tools that ask the user or the model once. */
export function register(api: RegisterApi): void {
  const tool = <Input>(
    name: string,
    description: string,
    inputSchema: JsonSchema,
    run: (input: Input, context: CallContext) => Promise<string>,
  ) => api.registerTool<Input>({ name, description, inputSchema, run });
  const form = (name: string, description: string, schema: JsonSchema) =>
    tool(name, description, { type: 'object' }, async (_, { input }) => {
      const answer = await input.elicit('form', { message: description, schema });
      return `Elicitation completed: ${toText(answer)}`;
    });

  tool<{ prompt: string }>('test_sampling', 'Asks the model of the client', PROMPT, async (args, { input }) => {
    const answer = await input.sample('answer', prompt(args.prompt));
    return `LLM response: ${wordsOf(answer)}`;
  });
  tool<{ message: string }>('test_elicitation', 'Asks the user', MESSAGE, async ({ message }, { input }) => {
    const answer = await input.elicit('contact', { message, schema: CONTACT });
    return `User response: ${toText(answer)}`;
  });
  form('test_elicitation_sep1034_defaults', 'A form with a default in every field', DEFAULTS);
  form('test_elicitation_sep1330_enums', 'A form with every kind of choice', ENUMS);
  tool('test_missing_capability', 'Needs a client with a model', { type: 'object' }, async (_, { input }) =>
    wordsOf(await input.sample('answer', prompt('Are you there?'))),
  );
  tool('test_streaming_elicitation', 'Reports progress, then asks', { type: 'object' }, async (_, context) => {
    context.progress.report(50, 'about to ask');
    const answer = await context.input.elicit('name', ask('What is your name?', 'name'));
    return toText(answer);
  });
}
