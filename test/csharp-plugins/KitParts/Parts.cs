namespace KitParts;

public static class Parts
{
#if NEXT
    public static string Words() => "new parts";
#else
    public static string Words() => "old parts";
#endif
}
