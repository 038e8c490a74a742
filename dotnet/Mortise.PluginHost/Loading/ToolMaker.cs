using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using McpServer.Plugins;
using McpServer.Tools;
using ModelContextProtocol.Protocol;
using Mortise.PluginHost.Serving;

namespace Mortise.PluginHost.Loading;

/// <summary>Creates tools from classes, and collects their problems.</summary>
/// <param name="contextFor">Creates the context for a class whose constructor has a parameter for it.</param>
/// <param name="problems">The list to which problems are added.</param>
internal sealed class ToolMaker(Func<Type, PluginContext> contextFor, List<Problem> problems)
{
    private const BindingFlags Public = BindingFlags.Public | BindingFlags.Instance;

    private readonly Dictionary<string, LoadedTool> provided = [];
    private readonly List<ITool> instances = [];

    public IReadOnlyDictionary<string, LoadedTool> Provided => provided;

    public IReadOnlyList<ITool> Instances => instances;

    public void Make(Type type)
    {
        if (Construct(type) is not { } tool)
        {
            return;
        }
        instances.Add(tool);
        if (Define(type, tool) is not { } definition)
        {
            return;
        }
        if (!provided.TryAdd(definition.Name, new LoadedTool(tool, definition)))
        {
            problems.Add(Problems.NameDuplicate(type, definition.Name, provided[definition.Name].Instance.GetType()));
        }
    }

    private ITool? Construct(Type type)
    {
        try
        {
            // The binding is exact, because a parameter of type object, for example, does not ask for a context.
            var withContext = type.GetConstructor(Public | BindingFlags.ExactBinding, [typeof(PluginContext)]);
            var constructor = withContext ?? type.GetConstructor(Public, Type.EmptyTypes);
            if (constructor is null)
            {
                problems.Add(Problems.ConstructorShape(type));
                return null;
            }
            return (ITool)constructor.Invoke(withContext is null ? null : [contextFor(type)]);
        }
        catch (Exception error)
        {
            var cause = Thrown.CauseOf(error);
            problems.Add(
                Thrown.MissingAssembly(cause) is { } missing
                    ? Problems.DependencyMissing(missing, type.FullName)
                    : Problems.ConstructorThrew(type, cause));
            return null;
        }
    }

    private Tool? Define(Type type, ITool tool)
    {
        if (!TryRead(type, nameof(tool.Name), () => tool.Name, out var name)
            || !TryRead(type, nameof(tool.Description), () => tool.Description ?? "", out var description)
            || !TryRead(type, nameof(tool.InputSchema), () => tool.InputSchema, out var schema))
        {
            return null;
        }
        try
        {
            return new Tool { Name = name, Description = description, InputSchema = ToolSchema.ToJson(schema) };
        }
        catch (Exception error)
        {
            problems.Add(Problems.SchemaInvalid(type, Thrown.MessageOf(error)));
            return null;
        }
    }

    private bool TryRead<T>(Type type, string member, Func<T?> read, [NotNullWhen(true)] out T? value)
        where T : class
    {
        value = null;
        try
        {
            value = read();
            if (value is null)
            {
                problems.Add(Problems.MemberMissing(type, member));
            }
        }
        catch (Exception error)
        {
            problems.Add(Problems.MemberThrew(type, member, error));
        }
        return value is not null;
    }
}
