import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeAttribute, escapeText } from '../../src/xml/entities.js';
import { MAX_XML_DEPTH, parseXml } from '../../src/xml/parse-xml.js';
import { XmlError } from '../../src/xml/xml.js';

function errorOf(text: string): XmlError {
  try {
    parseXml(text);
  } catch (error) {
    if (error instanceof XmlError) return error;
    throw error;
  }
  throw new Error('It parsed');
}

describe('parseXml', () => {
  it('gives elements, attributes and text with their places', () => {
    const text = '<?xml version="1.0"?>\n<!-- a -->\n<a x="1" y=\'2\'>t<b/>u<c >v</c></a>\n';
    const root = parseXml(text);
    expect(root).toMatchObject({ name: 'a', text: 'tu', parent: undefined, isSelfClosing: false });
    expect(root.attributes.map(({ name, value }) => [name, value])).toEqual([
      ['x', '1'],
      ['y', '2'],
    ]);
    expect(text.slice(root.attributes[1]!.valueStart, root.attributes[1]!.valueEnd)).toBe('2');
    expect(text.slice(root.start, root.end)).toBe('<a x="1" y=\'2\'>t<b/>u<c >v</c></a>');
    const [b, c] = root.elements;
    expect(b).toMatchObject({ name: 'b', isSelfClosing: true, contentStart: b!.end, contentEnd: b!.end });
    expect(b!.parent).toBe(root);
    expect(text.slice(c!.contentStart, c!.contentEnd)).toBe('v');
    expect(text.slice(c!.start, c!.end)).toBe('<c >v</c>');
  });

  it('counts a byte-order mark in offsets and not in columns', () => {
    expect(parseXml('\uFEFF<a/>').start).toBe(1);
    expect(errorOf('\uFEFF<a x/>')).toMatchObject({ line: 1, column: 5 });
  });

  it('decodes character references and the five entities, and keeps CDATA as it is', () => {
    const root = parseXml('<a b="&lt;&#10;&quot;\r\n&apos;">&amp;&gt;&#x1F600;\r\n&#xD;<![CDATA[<&amp;]]></a>');
    expect(root.attributes[0]!.value).toBe('<\n" \'');
    expect(root.text).toBe('&>\u{1F600}\n\r<&amp;');
  });

  it('expands no entity that a document type declares', () => {
    const bomb = "<!DOCTYPE a [<!ENTITY x \"]>\"> <!-- ' -->\n<!ENTITY y SYSTEM 'file:///etc/passwd'>]><a>&x;&y;</a>";
    expect(parseXml(bomb).text).toBe('&x;&y;');
    expect(errorOf('<a>&x;</a>').detail).toContain('&x;');
  });

  it('leaves comments and processing instructions out of the text', () => {
    expect(parseXml('<a>1<!-- <b> & -->2<?pi <c ?>3</a>')).toMatchObject({ text: '123', elements: [] });
  });

  it.each([
    ['', 'no root element', 1, 1],
    ['<!-- a -->\r\n ', 'no root element', 2, 2],
    ['{}', 'inside the root', 1, 1],
    ['<a>', 'never closed', 1, 1],
    ['<a>\n <b>\n</a>', '</a> closes no element: <b> is open', 3, 1],
    ['</a>', 'closes no element', 1, 1],
    ['<a/>\r\n<b/>', 'second root', 2, 1],
    ['<a/>x', 'inside the root', 1, 5],
    ['<a x="1"y="2"/>', 'White space', 1, 9],
    ['<a x="1" x="2"/>', 'a duplicate', 1, 10],
    ['<a x=1/>', 'quotes', 1, 6],
    ['<a x/>', "'='", 1, 5],
    ['<a x="<"/>', '&lt;', 1, 7],
    ['<a x="1/>', 'never closed', 1, 6],
    ['<a x="1"', 'never closed', 1, 9],
    ['<a>b & c</a>', '&amp;', 1, 6],
    ['<a>&lt;\r\n&bad</a>', '&amp;', 2, 1],
    ['<a b="\r\n\r\n &#0;"/>', 'is not a valid character reference', 3, 2],
    ['<a>&#x110000;</a>', 'is not a valid character reference', 1, 4],
    ['<a>1 < 2</a>', '&lt;', 1, 7],
    ['<a><!-- </a>', 'comment', 1, 4],
    ['<a><![CDATA[</a>', 'CDATA', 1, 4],
    ['<?xml ', 'processing instruction', 1, 1],
    ['<!DOCTYPE a [ > ', 'document type', 1, 1],
    ['<a/><!DOCTYPE a>', 'precede the root', 1, 5],
  ])('says what is wrong with %j', (text, detail, line, column) => {
    const error = errorOf(text);
    expect(error.detail).toContain(detail);
    expect([error.line, error.column]).toEqual([line, column]);
  });

  it('bounds the depth', () => {
    const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);
    expect(parseXml(nested(MAX_XML_DEPTH)).name).toBe('a');
    expect(errorOf(nested(MAX_XML_DEPTH + 1)).detail).toContain('deeper');
    expect(errorOf('<a>'.repeat(500_000)).detail).toContain('deeper');
  });

  it('gives back what was escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom('"' as const, "'" as const), (value, quote) => {
        const text = value.replaceAll('\r', '');
        const root = parseXml(`<a b=${quote}${escapeAttribute(value, quote)}${quote}>${escapeText(text)}</a>`);
        expect([root.attributes[0]!.value, root.text]).toEqual([value, text]);
      }),
    );
  });

  it('ends in a root or an XmlError for any text', () => {
    const piece = fc.constantFrom('<', '>', '/', '&', ';', '"', "'", '=', ' ', '<a', '</a>', '<!--', '-->', ']]>', '[');
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = `<a>${pieces.join('')}`;
        try {
          expect(parseXml(text).name).toBe('a');
        } catch (error) {
          expect(error).toBeInstanceOf(XmlError);
        }
      }),
    );
  });

  it.each([
    ['comments that do not end', '<a><!--'],
    ['quotes that do not end', '<a b="'],
    ['ampersands', '<a>&'],
    ['attributes', '<a>b="" '],
    ['tags', '<a></a>'],
  ])('ends soon for a long text of %s', (_, unit) => {
    // In time that grows with the square of the length this would take hours.
    try {
      parseXml(`<r>${unit.repeat(1_000_000)}</r>`);
    } catch (error) {
      expect(error).toBeInstanceOf(XmlError);
    }
  });
});
