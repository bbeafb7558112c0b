// Written by scripts/generate-regex-unicode from the Unicode Character Database; not to be edited.

/// Simple case folding (CaseFolding.txt, C and S) of Unicode 15.0.0, with U+0130 as a capital of i, as packed
/// runs: first (its distance from the one before), count, stride, and the offset to the other scalar, its sign
/// in the lowest bit.
enum RegexCaseTables {
    /// From a scalar to each other one with the same folding.
    static let orbits: StaticString = #"""
        `AY@_AG@@mMA@@}lOG@@wQMY@~@G@@mKA@@}jOG@@wOaA@@mm@?@@mo@JV@_AD@@keORF@_AF@@}zM@V@~@D@@kcORF@~@F@
        @qF@WAA@WA@n@@@lM?@@lKABAA@BA@EGAA@GA@OVAA@VA@l@@@pF@BAA@BA@D@@vQ?@@vO@@@eK@@@cL@AAA@AA@B@@{K@@@
        A@@@@@A@yKA@@A@@@@A@@}C@@@sK@@@uK@@@A@@@@@@@yK@@@}K@@@aE@@@eL@@@aL@@@A@@@@@@@eIA@@eL@@@iL@@@cG@@
        @kL@BAA@BA@D@@sL@@@A@@@@@@@sLB@@A@@@@@@@sL@@@A@@@@@A@qLAAAA@AA@B@@uL@@@A@@@@B@@A@@@@A@@oBD@@C?A@
        A@A@@@@@B@@@C?A@A@A@@@@@B@@@C?A@A@A@@@@@B@GAA@GA@N@@|C@HAA@HA@Q@@C?A@A@A@@@@@B@@@A@@@@@@@`E@@@nB
        @SAA@SA@f@@@bGAHAA@HA@V@@uaT@@@A@@@@@@@dI@@@oaT@A@}bTA@@A@@@@@@@dK@@@iC@@@mC@DAA@DA@H@@}`T@@@w`T
        @@@{`T@@@bL@@@zKAA@xKB@@rKA@@tK@@@}sqAC@@xK@@@usqAA@@|KA@@oqqA@@@gsqAA@@`L@@@dL@@@gsqA@@@m~S@@@a
        sqAB@@dLA@@y~S@@@hLB@@jLG@@m}SB@@rLA@@esqA@@@rLC@@sqqA@@@rL@@@hC@A@pLA@@lCE@@tLJ@@ipqA@@@cpqAfD@
        @gD?@@gF?@@qfMj@AAA@AA@D@@A@@@@CB@cGC@@gFF@@kAAB@iAC@@_CAA@}BBP@_A@@@{BB@@_EB@@qB?@@wD@@@fD?@@ia
        M@@@kDA@@lm@C@@kB@@@_DA@@}@?H@_AB@@}AB@@yvMB@@jA@B@hACP@~@@@@{@B@@_CB@@q@?@@wB@@@fF?@@i_M@@@kBA@
        @lo@C@@k@@@@_B@@@|@?@@A@@@@?H@~@B@@]B@@ytMB@@~B@A@|BA@@O@@@zB?@@z@@@@pB?@@p@?@@eAC@@|A?@@\@@@jB?
        @@j@@@@N@KAA@KA@V@@jD?@@jB@@@~C?@@~A@@@M@@@fF@@@vD?@@vB?@@dA@@@~D?@@~BA@@A@@@@@@@L@@@A@@@@AB@bGB
        O@_DO_@@_AA@@{eKA@@yeKI@@geKBA@ceK@@@eeKG@@wdKE_@@~@A@@{cKA@@ycKI@@gcKBA@ccK@@@ecKG@@wbKEO@~COPA
        A@PA@@@@iaK@@@gaKf@ZAA@ZA@t@@@]@FAA@FA@L@@\@o@AA@o@A@_Be@@_Bo@e@@~A~xAe@@_eMf@@@_eME@@_eMBj@@_{D
        l@B@_{DbToA@_|jAoAE@OGE@NgcA@@zeK?@@zcK@@@xeK?@@xcK@@@feK?@@fcK@A@beK?A@bcK@@@A@@@deK?@@dcK?@@@@
        @@vdK?@@vbK@@@haK?@@faK@@@c{cA?@@e{cAGj@@~zDl@B@~zD{D@@g_dAC@@kmFP@@obdAqBjAAA@jAA@~A@@uB@@@sBy@
        @@tB?@@rBB@@|zMAo@AA@o@A@~AG@OGG@NGE@OGE@NGG@OGG@NGG@OGG@NGE@OGE@NHCAOGCANFG@OGG@NGA@sCAC@kDCA@g
        EAA@_GAA@_FAA@{FCG@OGG@NGG@OGG@NGG@OGG@NGA@OB@@QDA@NAA@rCA@@PA@@pfM?@@haM?@@h_MD@@QDC@jDC@@PCA@O
        GA@NAA@fEEA@OD@@MBA@NAA@~EA@@LF@@QDA@~FAA@zFA@@PiH@@xvM?@@xtMC@@|lO?@@|jO@@@jeO?@@jcOF@@w@[@@v@Q
        O@_@OO@^R@@A@@@@qXY@s@YY@r@ox@o@@_Bo@o@@~Ao@@@A@@@@@@@l~S@@@jmF@@@l}S@@@taT@@@naT@BAA@BA@D@@v`T@
        @@x~S@@@|`T@@@z`TA@@A@@@@A@@A@@@@GA@|bTAq@AA@q@A@iBAAA@AA@E@@A@@@@Le@@~dMf@@@~dME@@~dMrg]VAA@VA@
        H@@b{cA@@@d{cAt@MAA@MA@`DFAA@FA@N^AA@^A@eAAAA@AA@B@@f_dA@DAA@DA@K@@A@@@@@@@nqqABAAA@AA@B@@_BAIAA
        @IA@R@@fsqA@@@|sqA@@@tsqA@@@`sqA@@@fsqAA@@bpqA@@@rqqA@@@hpqA@@@_y@@GAA@GA@N@@~A@@@dsqA@@@nbdA@AA
        A@AA@G@@A@@@@DAAA@AA@]@@A@@@@|Y@@~x@\oA@~{jAp|SY@_A_@Y@~@~d@g@@oAg@g@@nAgCc@@oAg@c@@nAwCJ@mAKN@m
        AOF@mAGA@mABJ@lAKN@lAOF@lAGA@lAdu@r@@_C_Ar@@~B_~A_@@_A_@_@@~@_kT_@@_A_@_@@~@_t]a@@cAa@a@@bA
        """#
}
