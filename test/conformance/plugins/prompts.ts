import type { ContentBlock, PromptMessage, RegisterApi } from '@mortise/plugin';
import { RED_PIXEL_PNG } from './_media.js';

const CITIES = ['paris', 'park', 'party', 'prague'];
const cities = (value: string) => CITIES.filter((city) => city.startsWith(value));

const fromUser = (...contents: ContentBlock[]): PromptMessage[] =>
  contents.map((content) => ({ role: 'user', content }));
const text = (words: string): ContentBlock => ({ type: 'text', text: words });

/** A prompt for each kind of content and argument. */
export function register(api: RegisterApi): void {
  api.registerPrompt({
    name: 'test_simple_prompt',
    description: 'A prompt without arguments',
    get: () => 'This is a simple prompt for testing.',
  });
  api.registerPrompt({
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments, which are completed',
    arguments: [
      { name: 'arg1', description: 'First test argument', required: true, complete: cities },
      { name: 'arg2', description: 'Second test argument', required: true, complete: cities },
    ],
    get: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  });
  api.registerPrompt({
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt with a resource in it',
    arguments: [{ name: 'resourceUri', description: 'URI of the resource to embed', required: true }],
    get: ({ resourceUri = '' }) =>
      fromUser(
        {
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
        text('Please process the embedded resource above.'),
      ),
  });
  api.registerPrompt({
    name: 'test_prompt_with_image',
    description: 'A prompt with an image in it',
    get: () =>
      fromUser({ type: 'image', data: RED_PIXEL_PNG, mimeType: 'image/png' }, text('Please analyze the image above.')),
  });
}
