import type { ContentBlock, RegisterApi } from '@mortise/plugin';
import { RED_PIXEL_PNG, SILENCE_WAV } from './_media.js';

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const image: ContentBlock = { type: 'image', data: RED_PIXEL_PNG, mimeType: 'image/png' };
const audio: ContentBlock = { type: 'audio', data: SILENCE_WAV, mimeType: 'audio/wav' };
const resource = (uri: string, mimeType: string, words: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text: words },
});

const TOOLS: { name: string; description: string; content: ContentBlock[] }[] = [
  {
    name: 'test_simple_text',
    description: 'Returns a text',
    content: [text('This is a simple text response for testing.')],
  },
  { name: 'test_image_content', description: 'Returns an image', content: [image] },
  { name: 'test_audio_content', description: 'Returns a sound', content: [audio] },
  {
    name: 'test_embedded_resource',
    description: 'Returns a resource',
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  },
  {
    name: 'test_multiple_content_types',
    description: 'Returns a text, an image and a resource',
    content: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  },
];

/** A tool for each kind of content. */
export function register(api: RegisterApi): void {
  for (const { content, ...tool } of TOOLS) {
    api.registerTool({ ...tool, inputSchema: { type: 'object' }, run: () => ({ content }) });
  }
}
