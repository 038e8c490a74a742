const json = (text) => JSON.stringify(text).slice(1, -1);
const xml = (text) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
const base64 = (text) => Buffer.from(text).toString('base64');
const same = (text) => text;

/** More than the text of a result may have: the cut is before, in or after the secret. */
const MAX_TEXT_CHARS = 20_000;
/** The shape that is longer than a result may be. */
export const CUT = 'across a cut';
const isAscii = (text) => /^[\x00-\x7f]*$/.test(text);
const isOneLine = (text) => !text.includes('\n');

/**
 * How a text with a secret is written. `encode` is the writing, and `wrap` what is around it, with a mark that tells the texts
 * apart. `fits` tells which texts can be written so: where an encoding leaves line breaks or other escapes undefined, no
 * reader knows the text again.
 */
export const SHAPES = {
  raw: { encode: same, wrap: (text, mark) => `${mark}\n${text}` },
  JSON: { encode: json, wrap: (text, mark) => `{"log":"${mark}\\n${text}\\nafter","n":1}` },
  'JSON in JSON': {
    encode: (text) => json(json(text)),
    wrap: (text, mark) => `{"a":"{\\"log\\":\\"${mark}\\\\n${text}\\\\nafter\\"}"}`,
  },
  URL: {
    encode: encodeURIComponent,
    wrap: (text, mark) => `https://h/?q=${mark}%0A${text}%0Aafter&b=1`,
    fits: isAscii,
  },
  XML: { encode: xml, wrap: (text, mark) => `<e>${mark}\n${text}\nafter</e>`, fits: isOneLine },
  'Base64 of credentials': {
    credentials: true,
    encode: base64,
    wrap: (text, mark) => `${mark}\nAuthorization: Basic ${text}`,
  },
  'several lines': { encode: same, wrap: (text, mark) => `before\n${mark}\n${text}\nafter` },
  'split by ANSI': {
    encode: (text) => [...text].join('\x1b[1m'),
    wrap: (text, mark) => `\x1b[31m${mark}\n${text}\nafter\x1b[0m`,
  },
  [CUT]: {
    encode: same,
    wrap: (text, mark, random) =>
      `${mark}\n${'filling line\n'.repeat(MAX_TEXT_CHARS / 13).slice(random.integer(text.length + 100))}\n${text}\nafter`,
  },
};

/** The text in this shape, and the forms of its secrets that must not be seen; undefined if it cannot be written so. */
export function shaped({ input, secrets }, name, { mark, random }) {
  const { encode, wrap, fits = () => true, credentials } = SHAPES[name];
  if (credentials) {
    const encoded = encode(`bob:${secrets[0]}`);
    return { text: wrap(encoded, mark), forms: [encoded, secrets[0]] };
  }
  if (!fits(input)) return undefined;
  return { text: wrap(encode(input), mark, random), forms: [...new Set([...secrets, ...secrets.map(encode)])] };
}
