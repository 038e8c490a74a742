import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAssets, resolvedPackages } from '../../packages/dotnet/build/nuget/assets.js';
import * as editProject from '../../packages/dotnet/build/project-files/edit-project.js';
import { configureGlobalJson, findGlobalJson } from '../../packages/dotnet/build/project-files/global-json.js';
import { lineChanges } from '../../packages/dotnet/build/project-files/line-changes.js';
import { parseProject } from '../../packages/dotnet/build/project-files/project-xml.js';
import { readSolution } from '../../packages/dotnet/build/project-files/solution-file.js';
import { generatedValues, mutateText, mutateValue } from '../fuzz/mutate.mjs';

const COUNT = 5_000;
const SHORT_COUNT = 500;
const MAX_MS = 1_000;
const MAX_CHANGES = 4;

const PROJECT = `<?xml version="1.0" encoding="utf-8"?>
<Project Sdk="Microsoft.NET.Sdk">
  <!-- The application. -->
  <PropertyGroup Condition="'$(Configuration)' == 'Debug'"><Nullable>enable</Nullable></PropertyGroup>
  <PropertyGroup>
    <TargetFrameworks>net10.0;net8.0</TargetFrameworks>
    <RootNamespace>A &amp; B</RootNamespace>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Newtonsoft.Json" Version="13.0.3" />
    <PackageReference Include="xunit"><Version>2.9.0</Version><PrivateAssets>all</PrivateAssets></PackageReference>
    <Compile Remove="old/**" />
  </ItemGroup>
  <Target Name="Wait"><![CDATA[ text ]]><Exec Command="echo &quot;a&quot;" /></Target>
</Project>
`;
const SOLUTION = `\ufeff
Microsoft Visual Studio Solution File, Format Version 12.00
# Visual Studio Version 17
Project("{9A19103F-16F7-4668-BE54-9A1E7A4F7556}") = "App", "src\\App.csproj", "{11111111-2222-3333-4444-555555555555}"
EndProject
Project("{2150E333-8FDC-42A3-9474-1A3956D46DE8}") = "Folder", "Folder", "{11111111-2222-3333-4444-666666666666}"
EndProject
Global
	GlobalSection(NestedProjects) = preSolution
	EndGlobalSection
EndGlobal
`;
const SLNX = `<Solution>
  <Folder Name="/src/"><Project Path="src/App.csproj" Type="C#" /></Folder>
  <Project Path="tests/Tests.csproj" />
</Solution>
`;
const GLOBAL_JSON = {
  sdk: { version: '10.0.100', rollForward: 'latestFeature', allowPrerelease: false, paths: ['.dotnet', '$host$'] },
  'msbuild-sdks': { A: '1.0.0' },
  test: { runner: 'VSTest' },
};
const ASSETS = {
  version: 3,
  targets: {
    'net10.0': { 'A/1.0.0': { type: 'package', dependencies: { B: '2.0.0' } }, 'B/2.0.0': { type: 'package' } },
  },
  project: {
    restore: { projectPath: '/a/a.csproj', frameworks: { 'net10.0': { projectReferences: {} } } },
    frameworks: {
      'net10.0': { targetAlias: 'net10.0', dependencies: { A: { target: 'Package', version: '[1.0.0, )' } } },
    },
  },
  logs: [{ level: 'Warning', code: 'NU1603', message: 'a' }],
};

/** What is done with the text of a project: it is read, and edited in each way. */
const EDITS = [
  (text) => editProject.declaredProperty(text, 'Nullable'),
  (text) => editProject.setProperty(text, 'Nullable', 'enable & "more"'),
  (text) => editProject.removeProperty(text, 'RootNamespace'),
  (text) => editProject.addItem(text, 'PackageReference', 'Other', { Version: '1.0.0' }),
  (text) => editProject.setMetadata(text, 'PackageReference', 'xunit', 'Version', '3.0.0'),
  (text) => editProject.removeItem(text, 'PackageReference', 'Newtonsoft.Json'),
];

/** An edited project is XML again. */
function editAll(text) {
  parseProject(text);
  for (const edit of EDITS) {
    const after = attempt(() => edit(text))?.text;
    if (typeof after !== 'string') continue;
    parseProject(after);
    lineChanges(text, after);
  }
}

/** The files by kind: what is mutated, and how the .NET tools read it. */
const KINDS = [
  { file: 'a.csproj', source: PROJECT, read: (_file, text) => editAll(text) },
  { file: 'a.sln', source: SOLUTION, read: readSolution },
  { file: 'a.slnx', source: SLNX, read: readSolution },
  {
    file: 'global.json',
    source: GLOBAL_JSON,
    async read(file) {
      attempt(() => findGlobalJson(join(file, '..')));
      await configureGlobalJson(file, { version: '10.0.200' });
    },
  },
  {
    file: 'project.assets.json',
    source: ASSETS,
    async read(file) {
      const assets = await readAssets(file);
      if (assets) resolvedPackages(assets, 'net10.0');
    },
  },
];

/** The errors that say what is wrong with a file. Any other is a defect. */
const isExplained = ({ name }) => ['FileError', 'XmlError'].includes(name);

function attempt(work) {
  try {
    return work();
  } catch (error) {
    if (!isExplained(error)) throw error;
    return undefined;
  }
}

function mutated({ source }, random, generated) {
  if (typeof source === 'object') {
    const text = JSON.stringify(mutateValue(source, random, generated), undefined, 2);
    return random.integer(3) === 0 ? mutateText(text, random) : text;
  }
  let text = source;
  for (let change = random.integer(MAX_CHANGES) + 1; change > 0; change--) text = mutateText(text, random);
  return text;
}

async function fuzz(kinds, { random, seed, isShort, workplace }, count) {
  const folder = join(workplace, 'projects');
  mkdirSync(folder, { recursive: true });
  const generated = generatedValues(seed);
  const failures = [];
  for (let index = 0; index < count && failures.length < 20; index++) {
    const kind = random.pick(kinds);
    const text = mutated(kind, random, generated);
    const file = join(folder, kind.file);
    writeFileSync(file, text);
    const startedAt = performance.now();
    let failure;
    try {
      await kind.read(file, text);
    } catch (error) {
      if (!isExplained(error)) failure = error.stack;
    }
    const ms = performance.now() - startedAt;
    if (!isShort && ms > MAX_MS) failure ??= `it took ${Math.round(ms)} ms`;
    if (failure) failures.push(`--seed ${seed}, file ${index}, ${kind.file}: ${failure}\n${text.slice(0, 2_000)}`);
  }
  return failures;
}

export const fuzzProjects = {
  name: 'fuzz-projects',
  async missing() {
    return undefined;
  },
  async run(context) {
    const count = context.isShort ? SHORT_COUNT : COUNT;
    return { tried: count, failures: await fuzz(KINDS, context, count) };
  },
  /** A reader that trusts that there is an `sdk`, and one that takes 2 s once. */
  async control(context) {
    const trusting = { file: 'global.json', source: GLOBAL_JSON, read: (_file, text) => JSON.parse(text).sdk.version };
    let reads = 0;
    const slow = {
      ...KINDS[0],
      read: () => ++reads === 100 && new Promise((resolve) => setTimeout(resolve, 2 * MAX_MS)),
    };
    const long = { ...context, isShort: false };
    const found = [await fuzz([trusting], long, SHORT_COUNT), await fuzz([slow], long, SHORT_COUNT)];
    return found.every(({ length }) => length > 0);
  },
};
