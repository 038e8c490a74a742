using System.Xml;
using System.Xml.Linq;

namespace Mortise.DotnetHost.Evaluation;

/// <summary>
/// The texts of an MSBuild file that an evaluation expands: its attributes, and the contents of its elements. The inner XML
/// of an element with child elements is also such a text. The contents of targets are left out, because only a build
/// expands them.
/// </summary>
internal sealed class ProjectText(XDocument document)
{
    public static ProjectText Parse(string xml) => new(XDocument.Parse(xml, LoadOptions.PreserveWhitespace));

    /// <summary>Returns the line of a refused function in the file on disk; 0 if it is not found.</summary>
    public static int LineOf(string path, string function)
    {
        try
        {
            var document = XDocument.Load(path, LoadOptions.SetLineInfo | LoadOptions.PreserveWhitespace);
            var text = new ProjectText(document).Texts().FirstOrDefault(text => PropertyFunctions.FindRefused(text.Text) == function);
            return text.Place?.LineNumber ?? 0;
        }
        catch (Exception error) when (error is IOException or XmlException or UnauthorizedAccessException)
        {
            return 0;
        }
    }

    public string? FindRefusedFunction() =>
        Texts().Select(text => PropertyFunctions.FindRefused(text.Text)).FirstOrDefault(function => function is not null);

    public IReadOnlyList<SdkReference> Sdks() => EvaluatedElements(document.Root!).SelectMany(SdkReference.AllIn).ToList();

    private IEnumerable<(string Text, IXmlLineInfo? Place)> Texts() =>
        EvaluatedElements(document.Root!).SelectMany(element => ContentsOf(element).Select(text => (text, (IXmlLineInfo?)element))
            .Concat(element.Attributes().Select(attribute => (attribute.Value, (IXmlLineInfo?)attribute))));

    private static IEnumerable<XElement> EvaluatedElements(XElement element) =>
        IsTarget(element) ? [element] : element.Elements().SelectMany(EvaluatedElements).Prepend(element);

    private static IEnumerable<string> ContentsOf(XElement element)
    {
        if (IsTarget(element))
            yield break;
        var text = string.Concat(element.Nodes().OfType<XText>().Select(node => node.Value));
        yield return text;
        if (element.HasElements && text.Contains("$("))
            yield return string.Concat(element.Nodes().Select(node => node.ToString(SaveOptions.DisableFormatting)));
    }

    private static bool IsTarget(XElement element) => element.Name.LocalName == "Target";
}
