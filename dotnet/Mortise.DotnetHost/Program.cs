using Mortise.DotnetHost.Hosting;

// The arguments: the folder of the SDK to serve, and the limit of memory in megabytes.
SdkAssemblies.Use(args[0]);
MemoryLimit.Watch(long.Parse(args[1]) << 20);
await RequestLoop.RunAsync(args[0], Console.OpenStandardInput(), Console.OpenStandardOutput());
