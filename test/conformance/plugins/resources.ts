import type { RegisterApi } from '@mortise/plugin';
import { RED_PIXEL_PNG } from './_media.js';

/** A text, an image, and a family of resources. */
export function register(api: RegisterApi): void {
  api.registerResource({
    uri: 'test://static-text',
    name: 'static text',
    description: 'A text',
    mimeType: 'text/plain',
    read: () => 'This is the content of the static text resource.',
  });
  api.registerResource({
    uri: 'test://static-binary',
    name: 'static binary',
    description: 'An image',
    mimeType: 'image/png',
    read: () => Buffer.from(RED_PIXEL_PNG, 'base64'),
  });
  api.registerResource({
    uriTemplate: 'test://template/{id}/data',
    name: 'data by id',
    description: 'The data of one id',
    mimeType: 'application/json',
    complete: { id: (value) => ['100', '123', '200'].filter((id) => id.startsWith(value)) },
    read: (_, { id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  });
}
