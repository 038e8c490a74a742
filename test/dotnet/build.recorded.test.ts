import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { BUILD_PROJECTS } from './fixture-projects.js';
import { type CountedServer, startCountedServer } from './printed-counts.js';
import { type SdkServer, startSdkServer } from './sdk-server.js';

describeRecorded('dotnet_project builds', () => {
  let server: CountedServer;
  const project: SdkServer['project'] = (...args) => server.project(...args);
  const at = (path: string) => join(server.workplace.folder, path);
  const lockInfo = (path: string) => ({ lockScope: 'project', lockKey: at(path) });
  const firstLines = (text: string) => text.split('\n').slice(0, 3);
  beforeAll(async () => {
    server = await startCountedServer(BUILD_PROJECTS);
  });
  afterAll(() => server.close());

  describe('succeeds by its exit code and its errors, whatever the console says', () => {
    it.each(['live', 'mute'])('with the response file of %s', async (name) => {
      const { data, text, isError } = await project('Build', { project: name });
      expect(isError).toBe(false);
      expect(data).toMatchObject({ success: true, errorCount: 0, warningCount: 1, warnings: [{ code: 'CS0219' }] });
      expect(data.outputs).toEqual([{ project: name, path: at(`${name}/bin/Debug/net10.0/${name}.dll`) }]);
      expect(text).not.toContain('\x1b');
    });

    it('and a failure keeps its diagnostics where the console is silent', async () => {
      const { data, text } = await project('Build', { project: 'mute-bad' });
      expect(data).toMatchObject({ success: false, errorCount: 1, errors: [{ code: 'CS0029', line: 1 }] });
      expect(data.errors[0].data.command).toBe('dotnet build mute-bad');
      expect(text).not.toContain('mortise-log');
    });

    it('of one C# file', async () => {
      const { data } = await project('Build', { project: 'file/good.cs' });
      expect(data).toMatchObject({ success: true, errorCount: 0, summary: 'Build succeeded' });
      expect((await project('Build', { project: 'file/bad.cs' })).data).toMatchObject({
        errorCount: 1,
        errors: [{ code: 'CS0103', line: 1 }],
      });
    });
  });

  it('counts as MSBuild does, and names each project', async () => {
    const { data, text } = await project('Build', { project: 'shared/shared.slnx' });
    expect(data).toMatchObject({ errorCount: 0, warningCount: 2 });
    expect(data.warnings).toMatchObject([
      {
        code: 'CS0219',
        count: 2,
        projects: expect.arrayContaining([at('shared/a/a.csproj'), at('shared/b/b.csproj')]),
      },
    ]);
    expect(text).toContain('a.csproj');
    expect(text).toContain('b.csproj');
  });

  it('reads codes without a digit, and has words for an error that has none', async () => {
    const { data } = await project('Build', { project: 'docs/docs.csproj' });
    expect(data.warnings).toContainEqual(expect.objectContaining({ code: 'EnableGenerateDocumentationFile' }));
    expect(data).not.toHaveProperty('unparsedWarningCount');
    const wordless = await project('Build', { project: 'wordless/wordless.csproj' });
    expect(wordless.data).toMatchObject({ errorCount: 1, errors: [{ code: 'MSBUILD_UNCODED' }] });
    expect(wordless.data.errors[0].message).toMatch(/\w/);
    expect(wordless.text).not.toMatch(/^Error:\s*$/m);
  });

  it('shows what a command printed before it failed', async () => {
    const { data, text } = await project('Build', { project: 'exec/exec.csproj' });
    expect(data.errors).toMatchObject([{ code: 'MSB3073' }]);
    expect(data.errors[0].message).toMatch(
      /exited with code 3\.\nBefore that, this was printed:\n\s*No licence for today\.\s*\n\s*Ask Ada\.\s*$/,
    );
    expect(text.match(/No licence for today\. *$/gm)).toHaveLength(1);
  });

  it('creates, builds, runs, publishes, packs and cleans a console application', async () => {
    const created = await project('New', { template: 'console', name: 'App', output: 'app' });
    expect(created.data).toEqual({
      success: true,
      template: 'console',
      outputPath: at('app'),
      createdFiles: ['App.csproj', 'Program.cs'],
      recommendedAction: {
        ...{ actionKind: 'CallTool', description: 'Build the project.', toolName: 'dotnet_project' },
        arguments: { action: 'Build', project: 'app/App.csproj' },
      },
      summary: `Created console in ${at('app')}`,
    });
    const next = 'Next: dotnet_project {"action":"Build","project":"app/App.csproj"}';
    expect(created.text).toBe(`Created console in ${at('app')}\nApp.csproj\nProgram.cs\n${next}\nExit Code: 0`);

    const app = { project: 'app/App.csproj' };
    const built = await project('Build', { ...app, configuration: 'Release' }, { onprogress() {} });
    expect(built.text).toBe('Build succeeded.\n1 project, 0 warnings\nExit Code: 0');
    expect(built.text.length).toBeLessThanOrEqual(400);
    expect(built.data).toEqual({
      success: true,
      project: 'app/App.csproj',
      configuration: 'Release',
      errorCount: 0,
      warningCount: 0,
      summary: 'Build succeeded',
      outputs: [{ project: 'App', path: at('app/bin/Release/net10.0/App.dll') }],
      lockInfo: lockInfo('app/App.csproj'),
    });
    expect(Object.keys(built.data).slice(0, 6)).toEqual([
      'success',
      'project',
      'configuration',
      'errorCount',
      'warningCount',
      'summary',
    ]);
    const progress = server.progress();
    const messages = progress.map(({ message }) => message);
    expect(messages[0]).toBe('Building project...');
    expect(messages).toContain('Built App');
    expect(messages.at(-1)).toBe('Build complete');
    expect(progress.map(({ progress }) => progress)).toEqual(
      progress.map(({ progress }) => progress).toSorted((a, b) => a - b),
    );

    const ran = await project('Run', { ...app, configuration: 'Release', noBuild: true });
    expect(ran.text).toBe('Hello, World!\nExit Code: 0');
    expect(ran.data).toEqual({
      success: true,
      summary: 'The program ended with exit code 0',
      ...app,
      configuration: 'Release',
      exitCode: 0,
      stdout: 'Hello, World!\n',
      stderr: '',
      lockInfo: lockInfo('app/App.csproj'),
    });

    const published = await project('Publish', { ...app, noBuild: true, output: 'published' });
    expect(published.data).toMatchObject({
      success: true,
      ...app,
      outputPath: at('published'),
      summary: 'Publish succeeded',
      lockInfo: lockInfo('app/App.csproj'),
    });
    const { fileCount, sizeBytes } = published.data;
    expect(fileCount).toBe(5);
    expect(sizeBytes).toBeGreaterThan(0);
    const size = `5 files, ${(sizeBytes / 1_000).toFixed(1)} KB`;
    expect(published.text).toBe(`Publish succeeded.\nOutput: ${at('published')} (${size})\nExit Code: 0`);
    expect(existsSync(at('published/App.dll'))).toBe(true);

    const packed = await project('Pack', { ...app, noBuild: true });
    const packagePath = at('app/bin/Release/App.1.0.0.nupkg');
    expect(packed.data).toMatchObject({
      success: true,
      packages: [{ id: 'App', version: '1.0.0', path: packagePath }],
      packagePath,
      version: '1.0.0',
      lockInfo: lockInfo('app/App.csproj'),
    });
    expect(packed.text).toBe(`Pack succeeded.\n${packagePath}\nExit Code: 0`);
    expect(existsSync(packagePath)).toBe(true);

    const cleaned = await project('Clean', { ...app, configuration: 'Release' });
    expect(cleaned.text).toBe('Clean succeeded.\nExit Code: 0');
    expect(cleaned.data).toMatchObject({ success: true, ...app, lockInfo: lockInfo('app/App.csproj') });
    expect(readdirSync(at('app/bin/Release/net10.0'))).not.toContain('App.dll');
  });

  it('fails with every error and its place, and keeps the warnings', async () => {
    const { text, data, isError } = await project('Build', { project: at('bad/bad.csproj') });
    const file = at('bad/Program.cs');
    expect(isError).toBe(true);
    expect(Object.keys(data).slice(0, 6)).toEqual([
      'success',
      'project',
      'errorCount',
      'warningCount',
      'summary',
      'warnings',
    ]);
    expect(data).toMatchObject({
      success: false,
      project: 'bad.csproj',
      errorCount: 2,
      warningCount: 1,
      summary: 'Build failed: 2 errors, 1 warning',
      warnings: [
        {
          file,
          line: 2,
          column: 5,
          code: 'CS0219',
          message: "The variable 'y' is assigned but its value is never used",
          severity: 'warning',
        },
      ],
      errors: [
        {
          code: 'CS0029',
          message: "Cannot implicitly convert type 'string' to 'int'",
          category: 'Compilation',
          hint: expect.any(String),
          explanation: expect.any(String),
          documentationUrl: expect.stringContaining('compiler-messages/cs0029'),
          suggestedFixes: expect.any(Array),
          rawOutput: `${file}(1,9): error CS0029: Cannot implicitly convert type 'string' to 'int' [${at('bad/bad.csproj')}]`,
          data: {
            command: `dotnet build ${at('bad/bad.csproj')}`,
            exitCode: 1,
            additionalData: { project: at('bad/bad.csproj') },
          },
          file,
          line: 1,
          column: 9,
          rootCauseKind: 'CompilationError',
        },
        { code: 'CS0103', rawOutput: '', file, line: 3, column: 19 },
      ],
      codes: { CS0029: { hint: expect.any(String) }, CS0103: { hint: expect.any(String) } },
      fullOutput: { uri: expect.stringMatching(/^mortise:\/\/outputs\//), chars: expect.any(Number) },
      exitCode: 1,
      lockInfo: lockInfo('bad/bad.csproj'),
    });
    expect(data.errors[0]).not.toHaveProperty('mcpErrorCode');
    expect(data.errors[1]).not.toHaveProperty('hint');
    expect(data.errors[1].data.command).toBe(data.errors[0].data.command);
    expect(data.errors[1].data).not.toHaveProperty('stderr');
    const lines = text.split('\n');
    expect(lines.slice(0, 4)).toEqual([
      'Error: Build failed: 2 errors, 1 warning',
      'Code: CS0029',
      `${file}(1,9): error CS0029: Cannot implicitly convert type 'string' to 'int' [${at('bad/bad.csproj')}]`,
      `${file}(3,19): error CS0103: The name 'nope' does not exist in the current context [${at('bad/bad.csproj')}]`,
    ]);
    const kinds = lines
      .slice(4)
      .map((line) => /^(\w+): /.exec(line)?.[1])
      .filter(Boolean);
    expect(kinds).toEqual(['Hint', 'Fix', 'Fix', 'Fix', 'Docs', 'Next']);
    expect(lines.at(-1)).toBe('Exit Code: 1');
  });

  it('is an ErrorResponse alone for machineReadable, with the same data beside it', async () => {
    const { text, data, isError } = await project('Build', {
      project: 'bad/bad.csproj',
      noRestore: true,
      machineReadable: true,
    });
    expect(isError).toBe(true);
    const response = JSON.parse(text);
    expect(Object.keys(response)).toEqual(['success', 'errors', 'exitCode', 'metadata']);
    expect(response.metadata).toEqual({ callId: data.metadata.callId, fullOutput: data.fullOutput.uri });
    const file = at('bad/Program.cs');
    const place = { file, line: '3', column: '19', rootCauseKind: 'CompilationError', project: at('bad/bad.csproj') };
    expect(response.errors[1]).toEqual({
      code: 'CS0103',
      message: data.errors[1].message,
      category: 'Compilation',
      ...{ hint: data.codes.CS0103.hint, explanation: data.codes.CS0103.explanation },
      ...{ documentationUrl: data.codes.CS0103.documentationUrl, suggestedFixes: data.codes.CS0103.suggestedFixes },
      rawOutput: '',
      data: { command: data.errors[1].data.command, additionalData: place },
    });
    expect(data).toMatchObject({ errorCount: 2, warningCount: 1, summary: 'Build failed: 2 errors, 1 warning' });
  });

  it('does not run what does not compile', async () => {
    const { text, data } = await project('Run', { project: 'bad/bad.csproj', noRestore: true });
    expect(firstLines(text)).toEqual([
      'Error: Run failed: 2 errors, 1 warning',
      'Code: CS0029',
      expect.stringContaining('Program.cs(1,9): error CS0029'),
    ]);
    expect(data).toMatchObject({ errors: [{ code: 'CS0029' }, { code: 'CS0103' }], exitCode: 1 });
  });

  it('gives the words of a program that failed, which are not diagnostics of its build', async () => {
    const { text, data } = await project('Run', { project: 'exit/exit.csproj' });
    expect(data).toMatchObject({
      success: false,
      exitCode: 3,
      stdout: 'working\n',
      stderr: 'data.txt: error E12: bad input\n',
      errors: [{ code: 'EXIT_3', message: 'data.txt: error E12: bad input', data: { exitCode: 3 } }],
    });
    expect(data).not.toHaveProperty('errorCount');
    expect(text).toMatch(/^Error: data\.txt: error E12: bad input\nCode: EXIT_3\n/);
    expect(text).toMatch(/\nworking\nExit Code: 3$/);
  });

  it('lists warnings, at most ten in the text', async () => {
    const { text, data, links } = await project('Build', { project: 'warn/warn.csproj' });
    expect(data).toMatchObject({
      success: true,
      errorCount: 0,
      warningCount: 12,
      summary: 'Build succeeded: 1 project, 0 errors, 12 warnings',
    });
    expect(data.warnings).toHaveLength(12);
    expect(data).not.toHaveProperty('errors');
    const lines = text.split('\n');
    expect(lines[0]).toBe('Build succeeded: 1 project, 0 errors, 12 warnings');
    expect(lines.slice(1, 11).every((line) => /Program\.cs\(\d+,5\): warning CS0219: /.test(line))).toBe(true);
    const { uri, chars } = data.fullOutput;
    const full = `Full output: ${uri} (${chars} characters)`;
    expect(lines.slice(11)).toEqual(['… and 2 more warnings', full, 'Exit Code: 0']);
    expect(links).toEqual([uri]);
  });

  it('is a SuccessResult alone for machineReadable', async () => {
    const { text, data } = await project('Build', {
      project: 'warn/warn.csproj',
      noRestore: true,
      machineReadable: true,
    });
    expect(JSON.parse(text)).toEqual({
      success: true,
      command: 'dotnet build warn/warn.csproj --no-restore',
      output: expect.stringMatching(/^\s*warn -> .+\n\nBuild succeeded\.\n[\s\S]*Time Elapsed \S+$/),
      exitCode: 0,
      metadata: { summary: 'Build succeeded' },
    });
    expect(data).toMatchObject({ success: true, lockInfo: lockInfo('warn/warn.csproj') });
  });

  it('reads F# and Visual Basic', async () => {
    const fsharp = await project('Build', { project: 'fs/fs.fsproj' });
    expect(fsharp.data.errors).toMatchObject([
      { code: 'FS0001', category: 'Compilation', file: at('fs/A.fs'), line: 1, column: 15 },
    ]);
    const basic = await project('Build', { project: 'vb/vb.vbproj' });
    expect(basic.data.errors).toMatchObject([
      { code: 'BC30451', category: 'Compilation', file: at('vb/A.vb'), line: 3, column: 22 },
    ]);
  });

  it('counts what every framework says, in one entry', async () => {
    const { data } = await project('Build', { project: 'multi/multi.csproj' });
    expect(data).toMatchObject({ errorCount: 2, errors: [{ code: 'CS0103', line: 1 }] });
    expect(data.errors[0].data.additionalData.frameworks.split('; ').toSorted()).toEqual(['net10.0', 'netstandard2.0']);
  });

  it('names the project of a solution that has the error', async () => {
    const { text, data } = await project('Build', { project: 'two/two.slnx' });
    expect(data).toMatchObject({
      errorCount: 1,
      errors: [{ code: 'CS0103', data: { additionalData: { project: at('two/b/b.csproj') } } }],
      lockInfo: { lockScope: 'solution', lockKey: at('two/two.slnx') },
    });
    expect(firstLines(text)[2]).toBe(
      `${at('two/b/B.cs')}(1,29): error CS0103: The name 'nope' does not exist in the current context [${at('two/b/b.csproj')}]`,
    );
  });

  it('says that a project is not there', async () => {
    const { text, data } = await project('Build', { project: 'nope/nope.csproj' });
    expect(data).toMatchObject({
      success: false,
      errorCount: 1,
      errors: [
        { code: 'MSB1009', category: 'Build', message: 'Project file does not exist.\nSwitch: nope/nope.csproj' },
      ],
      exitCode: 1,
      lockInfo: lockInfo('nope/nope.csproj'),
    });
    expect(text.split('\n').slice(0, 4)).toEqual([
      'Error: Build failed: 1 error',
      'Code: MSB1009',
      'error MSB1009: Project file does not exist.',
      `Switch: nope/nope.csproj [${at('nope/nope.csproj')}]`,
    ]);
  });

  it('says that the SDK does not know a framework', async () => {
    const { data } = await project('Build', { project: 'newer/newer.csproj' });
    expect(data.errors).toMatchObject([{ code: 'NETSDK1045', category: 'Runtime' }]);
    expect(data.errors[0]).not.toHaveProperty('mcpErrorCode');
  });

  it('says that a package cannot be found, and how to look for it', async () => {
    const { text, data } = await project('Restore', { project: 'missing/missing.csproj' });
    expect(data).toMatchObject({
      errors: [
        {
          code: 'NU1101',
          category: 'Package',
          mcpErrorCode: -32002,
          file: at('missing/missing.csproj'),
          recommendedAction: {
            actionKind: 'ManualStep',
            description: expect.stringMatching(/^No source has No\.Such\.Package\.Of\.Mortise, and no package /),
          },
        },
      ],
      lockInfo: lockInfo('missing/missing.csproj'),
    });
    expect(firstLines(text).slice(0, 2)).toEqual(['Error: Restore failed: 1 error', 'Code: NU1101']);
  });

  it('says that global.json asks for an SDK that is not there', async () => {
    const { text, data } = await project('Build', { workingDirectory: at('sdk') });
    expect(data).toMatchObject({
      errors: [
        {
          code: 'EXIT_155',
          category: 'Unknown',
          mcpErrorCode: -32002,
          rootCauseKind: 'MissingSdk',
          data: { exitCode: 155 },
          recommendedAction: {
            actionKind: 'CallTool',
            toolName: 'dotnet_sdk',
            arguments: { action: 'ConfigureGlobalJson', globalJsonPath: at('sdk/global.json') },
          },
        },
      ],
      exitCode: 155,
      lockInfo: { lockScope: 'workingDirectory', lockKey: at('sdk') },
    });
    expect(firstLines(text)[0]).toMatch(
      /^Error: Build failed\. \S+global\.json asks for the \.NET SDK 6\.0\.100, and no installed SDK satisfies it \(installed: /,
    );
    expect(text).toMatch(/Exit Code: 155$/);
  });

  it('takes an error without a code, and one that let the build continue, for a failure', async () => {
    const { text, data } = await project('Build', { project: 'uncoded/uncoded.csproj' });
    expect(data.errors).toMatchObject([{ code: 'MSBUILD_UNCODED', category: 'Build', message: 'not on Sundays' }]);
    expect(text).toContain('Hint: Correct the problem that the message reports in');
    const logged = await project('Build', { project: 'logged/logged.csproj' });
    expect(logged.isError).toBe(true);
    expect(logged.data).toMatchObject({ errorCount: 1, errors: [{ code: 'MSBUILD_UNCODED', message: 'ignored' }] });
  });

  it('names each folder that the projects of a solution were published to', async () => {
    server.workplace.write('two/b/B.cs', 'public class B {}');
    const { text, data } = await project('Publish', { project: 'two/two.slnx' });
    const folders = ['a', 'b'].map((name) => at(`two/${name}/bin/Release/net10.0/publish/`));
    expect(data).not.toHaveProperty('outputPath');
    expect(data.outputs.map(({ path }: { path: string }) => path).toSorted()).toEqual(folders);
    for (const folder of folders) expect(text).toContain(`Output: ${folder} (`);
    for (const { fileCount } of data.outputs) expect(fileCount).toBeGreaterThan(0);
  });

  it('says that a library cannot be run', async () => {
    const { text, data } = await project('Run', { project: 'two/a/a.csproj' });
    expect(data.errors).toMatchObject([{ code: 'EXIT_1', rootCauseKind: 'InvalidParameter' }]);
    expect(text).toContain('Hint: Run a project whose OutputType is Exe.\n');
  });

  it('says what is wrong with an argument, and holds no lock for it', async () => {
    const { text, data } = await project('Build', { project: 'a.txt' });
    expect(data).toMatchObject({
      success: false,
      errors: [
        {
          code: 'INVALID_PARAMS',
          category: 'Validation',
          mcpErrorCode: -32602,
          data: { exitCode: -1, additionalData: { parameter: 'project', reason: 'invalid extension' } },
        },
      ],
      exitCode: -1,
    });
    expect(data).not.toHaveProperty('lockInfo');
    expect(text).toMatch(/^Error: .*project.*\nCode: INVALID_PARAMS\n/);
    const { data: named } = await project('Build', { properties: { 'Bad Name': 'x' } });
    expect(named.errors[0].data.additionalData).toMatchObject({
      parameter: 'properties',
      reason: 'invalid characters',
    });
    const { data: cased } = await project('build', {});
    expect(cased.errors[0].data.additionalData.validActions.split(', ')).toHaveLength(24);
    expect(cased.errors[0].hint).toContain('Build');
    const { data: elsewhere } = await project('AddReference', { project: '.', references: ['x'] });
    expect(elsewhere.errors).toHaveLength(1);
    expect(elsewhere.errors[0].hint).toMatch(/^AddReference is an action of dotnet_package\. Valid actions are: New, /);
  });

  it('counts what the CLI prints, in every project', () => server.compareRest('Build'));

  it('counts what a bounded output drops', async () => {
    const small = await startSdkServer(BUILD_PROJECTS, { Output: { MaxBytes: 4096 } });
    try {
      rmSync(join(small.workplace.folder, 'warn/bin'), { recursive: true, force: true });
      const { data } = await small.project('Build', { project: 'warn/warn.csproj', verbosity: 'normal' });
      expect(data).toMatchObject({ success: true, warningCount: 12 });
      expect(data.warnings).toHaveLength(12);
      expect(data.outputs).toEqual([
        { project: 'warn', path: join(small.workplace.folder, 'warn/bin/Debug/net10.0/warn.dll') },
      ]);
    } finally {
      await small.close();
    }
  });
});
