import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { addToFeed, LOCAL_AND_ORDINARY } from './local-feed.js';
import { CONSOLE, projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const EF = '10.0.11';

/** Packages that Microsoft.EntityFrameworkCore.Design names and that not every source has; only scaffolding uses them. */
const PLACEHOLDERS = { 'Mono.TextTemplating': '3.0.0', 'Microsoft.VisualStudio.SolutionPersistence': '1.0.52' };

const PROGRAM = `using Microsoft.EntityFrameworkCore;
public class Post { public int Id { get; set; } public string Title { get; set; } = ""; }
public class Blog : DbContext
{
    public DbSet<Post> Posts => Set<Post>();
    protected override void OnConfiguring(DbContextOptionsBuilder options) => options.UseSqlite("Data Source=blog.db");
}
public static class Program { public static void Main() { } }
`;

const CONTEXT = `using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.DependencyInjection;
public class Post { public int Id { get; set; } }
public class Blog(DbContextOptions<Blog> options) : DbContext(options)
{
    public DbSet<Post> Posts => Set<Post>();
}
`;
const STARTUP_THROWS = `${CONTEXT}
public static class Program
{
    public static void Main()
    {
        var builder = Microsoft.AspNetCore.Builder.WebApplication.CreateBuilder();
        var db = System.Environment.GetEnvironmentVariable("NO_SUCH_DB") ?? throw new System.InvalidOperationException("Connection string Db not found.");
        builder.Services.AddDbContext<Blog>(options => options.UseSqlite(db));
        builder.Build().Run();
    }
}
`;
const CONTEXT_THROWS = PROGRAM.replace(
  'options.UseSqlite("Data Source=blog.db")',
  'throw new System.InvalidOperationException("Set BLOG_DB first.")',
);

describeWithSdk('dotnet_ef with the real SDK, Entity Framework Core and SQLite', () => {
  let server: SdkServer;
  let app: string;
  const ef = (action: string, args: object = {}) =>
    server.call('dotnet_ef', { action, workingDirectory: app, ...args });
  const lockInfo = () => ({ lockScope: 'workingDirectory', lockKey: app });

  beforeAll(async () => {
    const packages = ['Sqlite', 'Design'].map(
      (name) => `<PackageReference Include="Microsoft.EntityFrameworkCore.${name}" Version="${EF}" />`,
    );
    server = await startSdkServer({
      'nuget.config': LOCAL_AND_ORDINARY,
      'app/App.csproj': projectXml(CONSOLE, `<ItemGroup>${packages.join('')}</ItemGroup>`),
      'app/Program.cs': PROGRAM,
    });
    app = join(server.workplace.folder, 'app');
    addToFeed(
      server.workplace,
      Object.entries(PLACEHOLDERS).map(([id, version]) => ({ id, version })),
    );
  }, 120_000);
  afterAll(() => server?.close());

  it('says that dotnet-ef is missing, and how to install it', async () => {
    const { isError, data, text } = await ef('MigrationsList');
    expect(isError).toBe(true);
    expect(data.errors[0]).toMatchObject({
      rootCauseKind: 'MissingTool',
      recommendedAction: {
        actionKind: 'CallTool',
        toolName: 'dotnet_tool',
        arguments: { action: 'Install', packageId: 'dotnet-ef' },
      },
    });
    expect(text).toContain(
      `Next: Install the tool dotnet-ef. dotnet_tool {"action":"Install","packageId":"dotnet-ef","workingDirectory":"${app}"}`,
    );
  });

  it('leads from a project that is not restored to its first migration', async () => {
    const install = { action: 'Install', packageId: 'dotnet-ef', version: EF, workingDirectory: app };
    expect((await server.call('dotnet_tool', install)).data).toMatchObject({ success: true, version: EF });

    const early = await ef('MigrationsAdd', { name: 'First' });
    expect(early.data.errors[0]).toMatchObject({ code: 'NETSDK1004', rootCauseKind: 'RestoreFailure' });
    expect(early.data.lockInfo).toEqual(lockInfo());
    expect((await server.project('Restore', { project: 'App.csproj', workingDirectory: app })).isError).toBe(false);

    const { data, text } = await ef('MigrationsAdd', { name: 'First' });
    expect(data).toMatchObject({
      success: true,
      summary: "Migration 'First' added",
      migrationName: 'First',
      lockInfo: lockInfo(),
    });
    expect(data.files).toHaveLength(3);
    for (const file of data.files) expect(existsSync(file)).toBe(true);
    expect(text).toMatch(/^Migration 'First' added\n/);
    for (const file of data.files) expect(text).toContain(file);
    expect(text).not.toContain('NU1603');
    expect(text).toMatch(/\nExit Code: 0$/);
  });

  it('sends a project that is not restored to Restore, with a newer dotnet-ef too', async () => {
    const { write, folder } = server.workplace;
    write('newer/Newer.csproj', projectXml(CONSOLE));
    write('newer/Program.cs', 'System.Console.WriteLine();');
    const newer = { workingDirectory: join(folder, 'newer') };
    await server.call('dotnet_tool', { action: 'Install', packageId: 'dotnet-ef', version: '11.0.0', ...newer });
    const { data } = await server.call('dotnet_ef', { action: 'MigrationsList', ...newer });
    expect(data.errors[0]).toMatchObject({
      code: 'NETSDK1004',
      recommendedAction: { toolName: 'dotnet_project', arguments: { action: 'Restore' } },
    });
  });

  it('refuses a second migration of that name in its own words', async () => {
    const { isError, data, text } = await ef('MigrationsAdd', { name: 'First' });
    expect(isError).toBe(true);
    expect(data.errors).toHaveLength(1);
    expect(data.errors[0]).toMatchObject({
      code: 'EXIT_1',
      message: "The name 'First' is used by an existing migration.",
      hint: expect.stringContaining('MigrationsList'),
      recommendedAction: { toolName: 'dotnet_ef', arguments: { action: 'MigrationsList' } },
    });
    expect(text).toMatch(/^Error: The name 'First' is used by an existing migration\.\nCode: EXIT_1\n/);
  });

  it('lists the migration as pending, scripts it, applies it once, and lists it as applied', async () => {
    const pending = await ef('MigrationsList', { noBuild: true });
    expect(pending.data.migrations).toEqual([
      { id: expect.stringMatching(/^\d{14}_First$/), name: 'First', applied: false },
    ]);
    expect(pending.text).toMatch(/^\d{14}_First \(Pending\)\nExit Code: 0$/m);

    const script = await ef('MigrationsScript', { noBuild: true });
    expect(script.data.script).toContain('CREATE TABLE "Posts" (\n    "Id" INTEGER NOT NULL');
    expect(script.text).toBe(`${script.data.script}\nExit Code: 0`);
    const idempotent = await ef('MigrationsScript', { noBuild: true, idempotent: true });
    expect(idempotent.data.errors).toMatchObject([
      {
        rootCauseKind: 'InvalidParameter',
        hint: 'SQLite supports no idempotent scripts. Leave out idempotent, and set the parameters from and to.',
        recommendedAction: { toolName: 'dotnet_ef' },
      },
    ]);
    expect(idempotent.data.errors[0].recommendedAction.arguments).not.toHaveProperty('idempotent');
    const written = await ef('MigrationsScript', { noBuild: true, output: 'all.sql' });
    expect(written.data).toMatchObject({ success: true, scriptPath: join(app, 'all.sql') });
    expect(readFileSync(join(app, 'all.sql'), 'utf8')).toContain('CREATE TABLE "Posts"');

    const applied = await ef('DatabaseUpdate', { noBuild: true });
    expect(applied.data).toMatchObject({
      success: true,
      summary: 'Database updated',
      migrationsApplied: [expect.stringMatching(/_First$/)],
    });
    expect(existsSync(join(app, 'blog.db'))).toBe(true);
    const again = await ef('DatabaseUpdate', { noBuild: true });
    expect(again.data).toMatchObject({ success: true, changed: false, migrationsApplied: [] });
    expect((await ef('MigrationsList', { noBuild: true })).data.migrations[0]).toMatchObject({ applied: true });
  }, 180_000);

  it('lists and describes the contexts, and names one that is not there', async () => {
    const listed = await ef('DbContextList', { noBuild: true });
    expect(listed.data.contexts).toMatchObject([{ name: 'Blog' }]);
    expect(listed.text).toBe('Blog\nExit Code: 0');
    const info = await ef('DbContextInfo', { noBuild: true });
    expect(info.data.contexts).toMatchObject([{ type: 'Blog', providerName: 'Microsoft.EntityFrameworkCore.Sqlite' }]);
    expect(info.text).toContain('dataSource: blog.db');
    const absent = await ef('DbContextInfo', { context: 'Nope', noBuild: true });
    expect(absent.data.errors[0]).toMatchObject({
      code: 'EXIT_1',
      message: "No DbContext named 'Nope' was found.",
      mcpErrorCode: -32002,
    });
  });

  it('drops the database with force only, once, and never in a dry run', async () => {
    const refused = await ef('DatabaseDrop');
    expect(refused.data.errors[0].data.additionalData).toMatchObject({
      parameter: 'force',
      reason: 'required for safety',
    });
    expect(refused.data.lockInfo).toBeUndefined();
    const dry = await ef('DatabaseDrop', { dryRun: true });
    expect(dry.data).toMatchObject({ success: true, changed: false, summary: 'Dry run: nothing was dropped' });
    expect(existsSync(join(app, 'blog.db'))).toBe(true);

    const dropped = await ef('DatabaseDrop', { force: true });
    expect(dropped.data).toEqual({ success: true, summary: 'Database dropped', lockInfo: lockInfo() });
    expect(existsSync(join(app, 'blog.db'))).toBe(false);
    const again = await ef('DatabaseDrop', { force: true });
    expect(again.data).toMatchObject({ changed: false, summary: 'There was no database to drop' });
  });

  it('removes the migration once', async () => {
    const removed = await ef('MigrationsRemove', { noBuild: true });
    expect(removed.data).toMatchObject({ success: true, lockInfo: lockInfo() });
    expect(readdirSync(join(app, 'Migrations'))).toEqual([]);
    const { text, data } = await ef('MigrationsList');
    expect({ text, data }).toMatchObject({
      text: expect.stringMatching(/^There are no migrations\n/),
      data: { migrations: [] },
    });
    const again = await ef('MigrationsRemove', { noBuild: true });
    expect(again.data).toMatchObject({ success: true, changed: false, summary: 'There is no migration to remove' });
  });

  it('sends who breaks the build to Build', async () => {
    server.workplace.write('app/Broken.cs', 'public class Broken { int x = nope; }');
    const { data, text } = await ef('MigrationsList');
    expect(data.errors[0]).toMatchObject({
      message: 'Build failed. Use dotnet build to see the errors.',
      recommendedAction: { toolName: 'dotnet_project', arguments: { action: 'Build' } },
    });
    expect(text).toContain('Next: Build the project to see its errors. dotnet_project {"action":"Build"');
  });

  describe('of a web application', () => {
    beforeAll(async () => {
      const framework = '<FrameworkReference Include="Microsoft.AspNetCore.App" />';
      const file = readFileSync(join(app, 'App.csproj'), 'utf8');
      server.workplace.write('app/App.csproj', file.replace('<PackageReference', `${framework}<PackageReference`));
      server.workplace.write('app/Broken.cs', '');
      await server.project('Restore', { project: 'App.csproj', workingDirectory: app });
    });

    it.each([
      ['the program of the startup project', STARTUP_THROWS, 'Connection string Db not found.'],
      ['the context', CONTEXT_THROWS, 'Set BLOG_DB first.'],
    ])('shows what %s threw, and no warning as the error', async (_, program, message) => {
      server.workplace.write('app/Program.cs', program);
      const { data, text } = await ef('MigrationsList');
      expect(data.errors).toHaveLength(1);
      expect(data.errors[0]).toMatchObject({ message, rootCauseKind: 'StartupFailed', hint: expect.any(String) });
      expect(text.split('\n')[0]).toBe(`Error: ${message}`);
    });
  });
});
