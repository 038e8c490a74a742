import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { waitFor } from '../support/wait-for.js';
import { CONSOLE, projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

describeWithSdk('the environment of a background session', () => {
  let server: SdkServer;
  beforeAll(async () => {
    server = await startSdkServer({
      'app/app.csproj': projectXml(CONSOLE),
      'app/Program.cs':
        'Console.WriteLine($"secret <{Environment.GetEnvironmentVariable("APP_SECRET")}>"); Thread.Sleep(-1);',
    });
  });
  afterAll(() => server.close());

  it('shows secrets in no line, also to a later call', async () => {
    const started = await server.project('Run', {
      project: 'app/app.csproj',
      environment: { APP_SECRET: 'häst-battery-staple' },
      startMode: 'Background',
    });
    const { sessionId } = started.data;
    const printed = async () => {
      const { text } = await server.project('Logs', { sessionId });
      expect(text).not.toContain('häst');
      return text.includes('secret <[REDACTED]>');
    };
    await waitFor(printed);
    expect((await server.project('Stop', { sessionId })).isError).toBe(false);
  });
});
