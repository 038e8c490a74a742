import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { audio, defineTool, image } from '@mortise/plugin';
import { runTool } from '@mortise/plugin/testing';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'mortise-media-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('image() and audio()', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['GIF89a', 'image/gif'],
    ['RIFF\n\0\0\0WEBP', 'image/webp'],
    ['\0\0\0\x20ftypavif', 'image/avif'],
    ['<?xml version="1.0"?>\n<svg xmlns="x">', 'image/svg+xml'],
  ])('recognise images by their first bytes: %j', (data, mimeType) => {
    expect(image(bytes(data))).toEqual({ type: 'image', data: bytes(data).toString('base64'), mimeType });
  });

  it.each([
    ['RIFF\n\0\0\0WAVE', 'audio/wav'],
    ['ID3\x04', 'audio/mpeg'],
    ['\xff\xfb\x90', 'audio/mpeg'],
    ['OggS', 'audio/ogg'],
    ['fLaC', 'audio/flac'],
  ])('recognise audio by its first bytes: %j', (data, mimeType) => {
    expect(audio(bytes(data))).toMatchObject({ type: 'audio', mimeType });
  });

  it('take parts of buffers, ArrayBuffers, and what the author says of them', () => {
    const whole = new Uint8Array([0, 1, 2, 3]);
    const options = { mimeType: 'image/x-raw', annotations: { priority: 1 } };
    expect(image(whole.subarray(1, 3), options)).toEqual({ type: 'image', data: 'AQI=', ...options });
    expect(image(whole.buffer, options).data).toBe('AAECAw==');
  });

  it('read files by path and URL, whose extension counts where the bytes say nothing', () => {
    const file = join(folder, 'old.BMP');
    writeFileSync(file, 'x');
    expect(image(file)).toEqual({ type: 'image', data: 'eA==', mimeType: 'image/bmp' });
    expect(image(pathToFileURL(file)).mimeType).toBe('image/bmp');
    expect(() => audio(file)).toThrow(/does not recognise the type/);
    expect(() => image(folder)).toThrow(/it is a folder/);
    expect(() => image(join(folder, 'missing.png'))).toThrow(/ENOENT/);
  });

  it('refuse anything else', () => {
    expect(() => image(bytes('?'))).toThrow("Pass { mimeType: 'image/png' }");
    expect(() => image(7 as never)).toThrow('expects bytes, a path or a file URL');
  });
});

describe('what image() and audio() make is never data', () => {
  const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
  const picture = { type: 'image', mimeType: 'image/png', data: png.toString('base64') };
  const text = { type: 'text', text: 'A chart' } as const;
  const base = { name: 't', description: 'd', inputSchema: { type: 'object' } } as const;

  it.each<[string, () => unknown, unknown[]]>([
    ['a block', () => image(png), [picture]],
    ['a list of one', () => [image(png)], [picture]],
    ['a list with a text', () => [text, image(png)], [text, picture]],
  ])('%s is the content, in every style of tool', async (_, run, content) => {
    for (const tool of [
      defineTool({ ...base, run }),
      { ...base, run },
      { ...base, executeAsync: async () => run() as never },
    ]) {
      const result = await runTool(tool);
      expect(result.content).toEqual(content);
      expect(result.structured).toBeUndefined();
    }
  });

  it('is data where it is a member of something else', async () => {
    const result = await runTool(defineTool({ ...base, run: () => ({ chart: image(png) }) }));
    expect(result.structured).toEqual({ chart: picture });
  });
});
