import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addItem, removeItem, removeProperty, setProperty } from '../../src/project-files/edit-project.js';
import { FileError } from '../../src/project-files/file-error.js';

const TEMPLATE = `<Project Sdk="Microsoft.NET.Sdk">

  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net10.0</TargetFramework> <!-- LTS -->
  </PropertyGroup>

</Project>
`;

describe('setProperty', () => {
  it('changes the last unconditional definition and nothing else', () => {
    const text = `<Project>
\t<PropertyGroup>
\t\t<nullable Label='x'>disable</nullable>
\t\t<Nullable Condition=" '$(A)' == '' ">annotations</Nullable>
\t</PropertyGroup>
\t<PropertyGroup Condition="true"><Nullable>warnings</Nullable></PropertyGroup>
</Project>`;
    expect(setProperty(text, 'Nullable', 'enable')).toEqual({ text: text.replace('disable', 'enable'), changed: true });
  });

  it('adds to the first unconditional group, behind what is in it', () => {
    expect(setProperty(TEMPLATE, 'Nullable', 'enable').text).toBe(
      TEMPLATE.replace('<!-- LTS -->', '<!-- LTS -->\n    <Nullable>enable</Nullable>'),
    );
    const conditional = '<Project>\r\n  <PropertyGroup Condition="true" />\r\n  <PropertyGroup />\r\n</Project>';
    expect(setProperty(conditional, 'A', '1').text).toBe(
      conditional.replace('<PropertyGroup />', '<PropertyGroup>\r\n    <A>1</A>\r\n  </PropertyGroup>'),
    );
  });

  it('makes a group where there is no unconditional one', () => {
    expect(setProperty('<Project Sdk="Microsoft.NET.Sdk" />', 'A', '1').text).toBe(
      '<Project Sdk="Microsoft.NET.Sdk">\n  <PropertyGroup>\n    <A>1</A>\n  </PropertyGroup>\n</Project>',
    );
    expect(setProperty('<Project>\n\n\t<ItemGroup>\n\t</ItemGroup>\n\n</Project>', 'A', '1').text).toBe(
      '<Project>\n\n\t<PropertyGroup>\n\t\t<A>1</A>\n\t</PropertyGroup>\n\n\t<ItemGroup>\n\t</ItemGroup>\n\n</Project>',
    );
    const conditional = '<Project>\n  <PropertyGroup Condition="true">\n  </PropertyGroup> <!-- c -->\n</Project>';
    expect(setProperty(conditional, 'A', '1').text).toBe(
      conditional.replace('<!-- c -->', '<!-- c -->\n  <PropertyGroup>\n    <A>1</A>\n  </PropertyGroup>'),
    );
  });

  it('stays on the line where a group is written in one', () => {
    expect(setProperty('<Project><PropertyGroup><A>1</A></PropertyGroup></Project>', 'B', '2').text).toBe(
      '<Project><PropertyGroup><A>1</A><B>2</B></PropertyGroup></Project>',
    );
    expect(setProperty('<Project>\n  <PropertyGroup></PropertyGroup>\n</Project>', 'B', '2').text).toBe(
      '<Project>\n  <PropertyGroup>\n    <B>2</B>\n  </PropertyGroup>\n</Project>',
    );
  });

  it('leaves properties of targets and of Choose alone', () => {
    const text =
      '<Project><Target Name="T"><PropertyGroup><A>1</A></PropertyGroup></Target><Choose><When Condition="true"><PropertyGroup><A>2</A></PropertyGroup></When></Choose></Project>';
    expect(setProperty(text, 'A', '3').text).toContain('<A>1</A>');
    expect(setProperty(text, 'A', '3').text).toContain('<A>2</A>');
    expect(setProperty(text, 'A', '3').text).toContain('<A>3</A>');
  });

  it('escapes the value, writes its lines as the file does, and fills an element without end tag', () => {
    const text = '<Project>\r\n<PropertyGroup>\r\n<A />\r\n</PropertyGroup>\r\n</Project>';
    expect(setProperty(text, 'A', "$(A);<x & 'y'>\n2").text).toBe(
      text.replace('<A />', "<A>$(A);&lt;x &amp; 'y'&gt;\r\n2</A>"),
    );
  });

  it('changes nothing where the value is there', () => {
    const text = '<Project><PropertyGroup><A><![CDATA[a&b]]></A></PropertyGroup></Project>';
    expect(setProperty(text, 'a', 'a&b')).toEqual({ text, changed: false });
  });

  it.each([
    ['', 'x'],
    ['1A', 'x'],
    ['A B', 'x'],
    ['A.B', 'x'],
    ['A><B', 'x'],
    ['Target', 'x'],
    ['msbuildprojectname', 'x'],
    ['A', 'a\u0000b'],
    ['A', '\uD800'],
  ])('refuses the name %j with the value %j', (name, value) => {
    expect(() => setProperty(TEMPLATE, name, value)).toThrow(expect.objectContaining({ reason: 'invalid value' }));
  });

  it.each([
    ['<Project>', 1, 1],
    ['<Solution/>', undefined, undefined],
    ['', 1, 1],
  ])('says where %j is not a project', (text, line, column) => {
    expect(() => setProperty(text, 'A', '1')).toThrow(FileError);
    expect(() => setProperty(text, 'A', '1')).toThrow(
      expect.objectContaining({ reason: 'invalid format', line, column }),
    );
  });
});

describe('removeProperty', () => {
  it('takes the line out, and the group that has nothing left in it', () => {
    expect(removeProperty(TEMPLATE, 'outputtype').text).toBe(
      TEMPLATE.replace('    <OutputType>Exe</OutputType>\n', ''),
    );
    const single =
      '<Project>\n\n  <PropertyGroup>\n    <A>1</A>\n  </PropertyGroup>\n\n  <ItemGroup />\n\n</Project>\n';
    expect(removeProperty(single, 'A').text).toBe('<Project>\n\n  <ItemGroup />\n\n</Project>\n');
  });

  it('keeps comments and the blank lines that separate what stays', () => {
    const group = (inner: string) => `<Project>\n  <PropertyGroup>\n${inner}  </PropertyGroup>\n</Project>`;
    const remove = (inner: string) => removeProperty(group(inner), 'B').text;
    expect(remove('    <A/>\n\n    <B/>\n    <C/>\n')).toBe(group('    <A/>\n\n    <C/>\n'));
    expect(remove('    <A/>\n    <B/>\n\n    <C/>\n')).toBe(group('    <A/>\n\n    <C/>\n'));
    expect(remove('    <A/>\n\n    <B/>\n\n    <C/>\n')).toBe(group('    <A/>\n\n    <C/>\n'));
    expect(remove('    <A/>\n\n    <B/>\n')).toBe(group('    <A/>\n'));
    expect(remove('    <!-- why -->\n    <B/>\n')).toBe(group('    <!-- why -->\n'));
  });

  it('takes every unconditional definition, and counts those under a condition', () => {
    const text = '<Project><PropertyGroup><A>1</A><A Condition="true">2</A><A>3</A></PropertyGroup></Project>';
    expect(removeProperty(text, 'A')).toEqual({
      text: '<Project><PropertyGroup><A Condition="true">2</A></PropertyGroup></Project>',
      changed: true,
      conditionalCount: 1,
    });
    expect(removeProperty(text, 'B')).toEqual({ text, changed: false, conditionalCount: 0 });
  });
});

describe('addItem', () => {
  const items = (inner: string) => `<Project>\n  <ItemGroup>\n${inner}  </ItemGroup>\n</Project>\n`;

  it('adds beside the items of its type, with metadata as attributes', () => {
    const text = items('    <Compile Include="a.cs" />\n    <PackageReference Include="A" Version="1" /> <!-- a -->\n');
    expect(addItem(text, 'PackageReference', 'B', { Version: '[1,2)', NoWarn: '"<x>"' }).text).toBe(
      text.replace(
        '<!-- a -->',
        '<!-- a -->\n    <PackageReference Include="B" Version="[1,2)" NoWarn="&quot;&lt;x>&quot;" />',
      ),
    );
  });

  it('makes a group behind the last one where there is none of that type', () => {
    expect(addItem(TEMPLATE, 'None', 'a.txt').text).toBe(
      TEMPLATE.replace(
        '</PropertyGroup>',
        '</PropertyGroup>\n\n  <ItemGroup>\n    <None Include="a.txt" />\n  </ItemGroup>',
      ),
    );
    const conditional =
      '<Project>\n  <ItemGroup Condition="true">\n    <None Include="a" />\n  </ItemGroup>\n</Project>';
    expect(addItem(conditional, 'None', 'a').text).toBe(
      conditional.replace('</ItemGroup>', '</ItemGroup>\n  <ItemGroup>\n    <None Include="a" />\n  </ItemGroup>'),
    );
  });

  it('does not count Update and Remove as the item', () => {
    expect(addItem(items('    <None Update="a" />\n    <None Remove="a" />\n'), 'None', 'a').changed).toBe(true);
  });

  it('changes nothing where the item is there, in any case and with either slash', () => {
    const text = items('    <ProjectReference Include="..\\Lib\\Lib.csproj" />\n    <None Include="b; C" />\n');
    expect(addItem(text, 'ProjectReference', '../lib/Lib.csproj')).toEqual({ text, changed: false });
    expect(addItem(text, 'None', 'c')).toEqual({ text, changed: false });
  });

  it('gives an item that is there the metadata', () => {
    const text = items(`    <X Include='A' version='1'>\n      <NoWarn>2</NoWarn>\n    </X>\n`);
    expect(addItem(text, 'X', 'a', { Version: "'", NoWarn: '<', P: '1', Q: '2' }).text).toBe(
      items(`    <X Include='A' version='&apos;' P="1" Q="2">\n      <NoWarn>&lt;</NoWarn>\n    </X>\n`),
    );
    expect(addItem(text, 'X', 'a', { Version: '1', NoWarn: '2' }).changed).toBe(false);
  });

  it.each([
    ['', 'a', {}],
    ['ItemGroup', 'a', {}],
    ['None', ' ', {}],
    ['None', 'a', { Include: 'b' }],
    ['None', 'a', { FullPath: 'b' }],
    ['None', 'a', { 'x y': 'b' }],
    ['None', 'a\u0001', {}],
  ])('refuses %j %j %j', (itemType, include, metadata) => {
    expect(() => addItem(TEMPLATE, itemType, include, metadata as Record<string, string>)).toThrow(
      expect.objectContaining({ reason: 'invalid value' }),
    );
  });
});

describe('removeItem', () => {
  it('takes the item out of every group, in any case and with either slash', () => {
    const text =
      '<Project>\n  <ItemGroup>\n    <P Include="a\\B" />\n    <P Include="c" />\n  </ItemGroup>\n\n  <ItemGroup Condition="true">\n    <P Include="A/b">\n      <V>1</V>\n    </P>\n  </ItemGroup>\n</Project>\n';
    expect(removeItem(text, 'p', 'A/B')).toEqual({
      text: '<Project>\n  <ItemGroup>\n    <P Include="c" />\n  </ItemGroup>\n</Project>\n',
      changed: true,
    });
    expect(removeItem(text, 'P', 'x')).toEqual({ text, changed: false });
  });

  it('takes one entry out of a list', () => {
    const text = '<Project><ItemGroup><P Include="a; b;c" /><P Include="b" /></ItemGroup></Project>';
    expect(removeItem(text, 'P', 'B').text).toBe('<Project><ItemGroup><P Include="a;c" /></ItemGroup></Project>');
  });
});

describe('an edit and its opposite', () => {
  const layouts = fc.record({
    lineEnd: fc.constantFrom('\n', '\r\n'),
    indentation: fc.constantFrom('  ', '\t', '    ', ''),
    isSetApart: fc.boolean(),
    groups: fc.array(fc.constantFrom('PropertyGroup', 'ItemGroup'), { minLength: 1, maxLength: 4 }),
  });
  const textOf = ({ lineEnd, indentation, isSetApart, groups }: ReturnType<typeof layouts.generate>['value']) => {
    const separator = lineEnd + (isSetApart ? lineEnd : '');
    const body = groups.map((name, index) => {
      const child = name === 'PropertyGroup' ? `<P${index}>1</P${index}>` : `<I${index} Include="x" />`;
      return [`<${name}>`, `${indentation}${child}`, `</${name}>`].map((line) => indentation + line).join(lineEnd);
    });
    return `<Project>${separator}${body.join(separator)}${separator}</Project>${lineEnd}`;
  };

  it('give the text back to the letter', () => {
    fc.assert(
      fc.property(layouts, fc.string({ minLength: 1 }), (layout, value) => {
        const text = textOf(layout);
        expect(removeProperty(setProperty(text, 'New', value).text, 'New').text).toBe(text);
        expect(removeItem(addItem(text, 'New', 'a', { M: value }).text, 'New', 'a').text).toBe(text);
        expect(setProperty(setProperty(text, 'New', value).text, 'New', value).changed).toBe(false);
      }),
    );
  });
});
