/** Of all values and messages. A change that an earlier version would misread raises it. */
const FORMAT = 1;

/** Says that another version of Mortise wrote a value or message. */
export class OtherFormatError extends Error {
  override readonly name = 'OtherFormatError';
}

export function encode(value: object): string {
  return JSON.stringify({ format: FORMAT, ...value });
}

/** @throws OtherFormatError */
export function decode(text: string): Record<string, unknown> {
  const value = parseObject(text);
  if (value?.format === FORMAT) {
    const { format: _format, ...members } = value;
    return members;
  }
  const what = value === undefined ? 'without a format' : `of format ${JSON.stringify(value.format)}`;
  throw new OtherFormatError(`The shared state has an entry ${what}.`);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
