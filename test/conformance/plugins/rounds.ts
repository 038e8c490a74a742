import type { CallContext, InputQuestion, RegisterApi } from '@mortise/plugin';
import { ask, prompt } from './_forms.js';

const NAME = ask('What is your name?', 'name');
const CONFIRMATION = ask('Please confirm', 'ok', 'boolean');

/** Each as `test_input_required_result_<name>`. */
const ROUNDS: Record<string, (context: CallContext) => Promise<string>> = {
  async elicitation({ input }) {
    const { action, content } = await input.elicit('user_name', NAME);
    return action === 'accept' ? `Hello, ${content?.name}!` : 'Hello, whoever you are!';
  },
  async sampling({ input }) {
    const { content } = await input.sample('capital_question', prompt('What is the capital of France?'));
    return `The model said: ${JSON.stringify(content)}`;
  },
  async list_roots({ input }) {
    const roots = await input.roots('client_roots');
    return `Roots: ${roots.map(({ uri }) => uri).join(', ')}`;
  },
  // Had the state been another than the one that was handed out, the tool would not run a second time.
  async request_state({ input }) {
    await input.elicit('confirm', CONFIRMATION);
    return 'state-ok';
  },
  async tampered_state({ input }) {
    await input.elicit('confirm', CONFIRMATION);
    return 'The state was as it was handed out.';
  },
  async multiple_inputs({ input }) {
    const answers = await input.all({
      user_name: { elicit: NAME },
      greeting: { sample: prompt('Generate a greeting', 50) },
      client_roots: { roots: true },
    });
    return `Answered: ${Object.keys(answers).sort().join(', ')}`;
  },
  async multi_round({ input }) {
    const name = await input.elicit('step1', ask('Step 1: What is your name?', 'name'));
    const color = await input.elicit('step2', ask('Step 2: What is your favorite color?', 'color'));
    return `${name.content?.name} likes ${color.content?.color}.`;
  },
  async capabilities({ input, clientCapabilities: { elicitation, sampling, roots } }) {
    const questions: Record<string, InputQuestion> = {
      ...(elicitation && { user_name: { elicit: NAME } }),
      ...(sampling && { capital_question: { sample: prompt('What is the capital of France?') } }),
      ...(roots && { client_roots: { roots: true } }),
    };
    return `Answered: ${Object.keys(await input.all(questions)).join(', ')}`;
  },
};

/** Tools that need answers before they can end, and a prompt that does. */
export function register(api: RegisterApi): void {
  for (const [name, run] of Object.entries(ROUNDS)) {
    api.registerTool({
      name: `test_input_required_result_${name}`,
      description: `Ends when its questions are answered: ${name.replaceAll('_', ' ')}`,
      inputSchema: { type: 'object' },
      run: (_: unknown, context) => run(context),
    });
  }
  api.registerPrompt({
    name: 'test_input_required_result_prompt',
    description: 'A prompt that asks for its context first',
    async get(_, { input }) {
      const question = ask('What context should the prompt use?', 'context');
      const { content } = await input.elicit('user_context', question);
      return `Use this context: ${content?.context}`;
    },
  });
}
