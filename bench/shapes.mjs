/** Values that are as large as limits ({bytes, values, depth, blocks, metaBytes}) allow, each hard in another way. */
const SHAPES = {
  'an image': ({ bytes }) => 'iVBORw0KGgo'.repeat(bytes / 11),
  'one text': ({ bytes }) => 'A word and a number: 42.\n'.repeat(bytes / 27),
  'quotes that are escaped': ({ bytes }) => '"'.repeat(bytes / 2),
  'empty lists': ({ values }) => Array.from({ length: values / 2 }, () => []),
  numbers: ({ values, bytes }) =>
    Array.from({ length: Math.min(values, bytes / 20) }, (_, at) => 0.1234567890123456 + at),
  'different keys': ({ values }) =>
    Object.fromEntries(Array.from({ length: values }, (_, at) => [`member${at.toString(36)}`, at])),
  'small objects': ({ values }) => Array.from({ length: values / 2 }, (_, at) => ({ name: at })),
  'short texts': ({ values, bytes }) =>
    Array.from({ length: values }, (_, at) => `${at}`.padEnd(bytes / values - 3, 'ab ')),
  'deep nesting': ({ depth }) => {
    let value = 1;
    for (let level = 0; level < depth; level++) value = [value];
    return value;
  },
  'many blocks': ({ blocks }) => Array.from({ length: blocks }, () => ({ type: 'text', text: 'x' })),
  'large _meta': ({ metaBytes }) => ({ 'x/y': Array.from({ length: metaBytes / 3 }, () => []) }),
};

export const SHAPE_NAMES = Object.keys(SHAPES);

export const makeShape = (shape, limits) => SHAPES[shape](limits);
