// Written by scripts/generate-regex-unicode from the Unicode Character Database; not to be edited.

/// The sets of scalars that `\p{…}` names: their loose names, and their ranges packed.
enum RegexPropertyTables {
    static let unicodeVersion: StaticString = "15.0.0"

    /// General categories, alone and in groups.
    static let categories: [RegexProperty] = [
        RegexProperty(
            names: "c|other",
            packed: #"""
                ?^_B_@M?jU@FBG?A?T?mK?f@@r@@C?w@F[BFOV?`E?p@@{@@eBL{@@q@@O?\@A?KC_@GjA?aD?H@B@V?G?AAD@I@B@DFABB?
                E@Y@C?FBB@V?G?B?B?B@A?EBB@CAAED?AEQHC?I?C?V?G?B?E@J?C?C@AMD@LEG?C?H@B@V?G?B?E@I@B@CECBB?E@RHB?FA
                C?DAB?A?BABACALBEAC?D@ADALUCM?C?W?P@I?C?DEB?C@A@D@JEV?C?W?J?E@I?C?DEBDB?D@J?CJM?C?s@?C?FBP@Z?C?R
                AX?I?A@GAABF?A?HDJ@CJz@B]c@B?A?E?X?A?W@E?A?G?J@D^hA?d@Bg@?d@?O?Mc@fE?ACA@yJ?D@G?A?D@i@?D@a@?D@G?
                A?D@O?y@?D@cA@`@AZDvA@F@}SAyAEVGXGTJM?C?BJ~A@JDJDN?KDyAEk@CfAH_@?LBLBAAj@@EIl@BZDKA~@@aA?]@KDJDN
                @_@o@mAAo@?tBF|@AOA|@Ek@@KFk@CvO@F@f@@F@H?A?A?A?_@@u@?O?N@F?S@C?I?KCZCq@NB@[?MAa@Ma@MlCBwSWKStw@
                @`@?}ICm@?ACA@x@EBLXGG?G?G?G?G?G?G?G?~B`@Z?yAJvEXLB`A?vA@gBCk@?~A?tAJo@?mr[Aw@G|IRxDFkECB?A?EV{@
                AJDx@FfAFLDtBI^AnA?KBa@?w@GN@J@gBV\HF@F@FGG?G?|@B~B@JDd|IJWBq@bgGnJ@jBd@GJECZ?E?A?B?B?}BN}L@v@EA
                ^j@Ds@?S?DBE?gCB~DAF@F@F@CAG?GKB@L?Z?S?B?O@N`@{BCCBm@AxA?MAAm@n@`C]Aq@M\Bd@G^Ck@C^?e@BNh@~C@JDd@
                Bd@Bh@Ft@IL?O?G?B?K?O?G?BaAwHGVHHVF?j@?IcAF@A?l@?BAA@W?hAFIn@S?BCa@A[CA~@x@BT@r@?BCH?C?]@CBJEIE`
                A^g@BLGv@A]@[CZEDJGnAiAu@s@Ks@En@FJdH_@?j@?C@BiAk@Fj@TZd@\RWGnABd@G~@?EKYEJDu@?RFg@G`B?TIR?o@|@G
                ?A?D?O?KD{@CJDD?H@B@V?G?B?E?J@B@C@ADACG@GAEiC|A?E\hAFJdDv@@f@`@eAIJDMQz@DJt@[@OBWwD|@bBsAJH@A@H?
                B?^?B@LGJdAH@n@@KYhAFsAKiAEJtFI?m@?NH]A`@@V?NgAG?B?l@AA?B?IFJDF?B?e@?B?FEJtHYEQ?i@A\tAAMr@K{[dBo
                B?EIdEjqAcBKp`@NVh|BgQwlGyPE_@?JBqA?JD^@FHfAHJ?G?UCSnT{AcBkABy@EQ~@EIBLx~DFve@h@IevGD?G?B?cHMA[C
                @ALDFlKbgAkBCMAIEJ@D~qCn@@WGtBz@vFHg@@jAFpBSfAxBTJTJwAGYeCuA?gA?B@A@B@D?L?A?G?aA?D@H?G?\?D?E?AAG
                ?tI@dH@~TME?Ona@_@DFsEG?Q@G?B?EC~@_@AnBm@AN@JBB~H_@Oz@CAnMj@dVG?D?B?O?eE@Pg@lABJBBoWdAjA}@`ED?[?
                B?A@A?J?D?A?ADABA?A?A?C?B?A@A?A?A?A?A?B?A@D?G?D?D?A?J?QCC?E?Qr@BlGl@BdBJO@O?O?e@HnDv@]Kl@BIEBLFx
                Cx]BQAMAwBB_BDLBAMLBx@FJDh@F^@BlAtIJN@MAIEn@?GFNBIEIEsC?w@c@Jd_@`vh@^z`CD~E@bsDLqhF}_B~O`n@kyCC`
                bCnivTpFno~D
                """#),
        RegexProperty(
            names: "cc|control|cntrl",
            packed: #"?^_B_@"#),
        RegexProperty(
            names: "cf|format",
            packed: #"""
                lD?ri@DV?`E?q@?`K@pA?kxB?|~@CZCq@CAHosv@?yFAaeC?O?bzGN`ba@BoeDFfsjW?^~A
                """#),
        RegexProperty(
            names: "cn|unassigned",
            packed: #"""
                wZ@FBG?A?T?mK?f@@r@@C?w@F[BFInG?|@@eBL{@@q@@O?\@A?KC_@?BDlF?H@B@V?G?AAD@I@B@DFABB?E@Y@C?FBB@V?G?
                B?B?B@A?EBB@CAAED?AEQHC?I?C?V?G?B?E@J?C?C@AMD@LEG?C?H@B@V?G?B?E@I@B@CECBB?E@RHB?FAC?DAB?A?BABACA
                LBEAC?D@ADALUCM?C?W?P@I?C?DEB?C@A@D@JEV?C?W?J?E@I?C?DEBDB?D@J?CJM?C?s@?C?FBP@Z?C?RAX?I?A@GAABF?A
                ?HDJ@CJz@B]c@B?A?E?X?A?W@E?A?G?J@D^hA?d@Bg@?d@?O?Mc@fE?ACA@yJ?D@G?A?D@i@?D@a@?D@G?A?D@O?y@?D@cA@
                `@AZDvA@F@}SAyAEVGXGTJM?C?BJ~A@JDJDZDyAEk@CfAH_@?LBLBAAj@@EIl@BZDKA~@@aA?]@KDJDN@_@o@mAAo@?tBF|@
                AOA|@Ek@@KFk@CvO@F@f@@F@H?A?A?A?_@@u@?O?N@F?S@C?I?eB?L@[?MAa@Ma@MlCBwSWKStw@@`@?}ICm@?ACA@x@EBLX
                GG?G?G?G?G?G?G?G?~B`@Z?yAJvEXLB`A?vA@gBCk@?~A?tAJo@?mr[Aw@G|IRxDFkECB?A?EV{@AJDx@FfAFLDtBI^AnA?K
                Ba@?w@GN@J@gBV\HF@F@FGG?G?|@B~B@JDd|IJWBq@BnrG@jBd@GJECZ?E?A?B?B?}BN}L@v@EA^j@Ds@?S?DBE?gC@A?~DA
                F@F@F@CAG?GHE@L?Z?S?B?O@N`@{BCCBm@AxA?MAAm@n@`C]Aq@M\Bd@G^Ck@C^?e@BNh@~C@JDd@Bd@Bh@Ft@IL?O?G?B?K
                ?O?G?BaAwHGVHHVF?j@?IcAF@A?l@?BAA@W?hAFIn@S?BCa@A[CA~@x@BT@r@?BCH?C?]@CBJEIE`A^g@BLGv@A]@[CZEDJG
                nAiAu@s@Ks@En@FJdH_@?j@?C@BiAk@Fj@TZd@\RWGnABd@GdAHA@YEJDu@?RFg@G`B?TIR?o@|@G?A?D?O?KD{@CJDD?H@B
                @V?G?B?E?J@B@C@ADACG@GAEiC|A?E\hAFJdDv@@f@`@eAIJDMQz@DJt@[@OBWwD|@bBsAJH@A@H?B?^?B@LGJdAH@n@@KYh
                AFsAKiAEJtFI?m@?NH]A`@@V?NgAG?B?l@AA?B?IFJDF?B?e@?B?FEJtHYEQ?i@A\tAAMr@K{[dBoB?EIdEjqAcBKva@h|Bg
                QwlGyPE_@?JBqA?JD^@FHfAHJ?G?UCSnT{AcBkABy@EQ~@EIBLx~DFve@h@IevGD?G?B?cHMA[C@ALDFlKbgAkBCMAIEJ@Hz
                qCn@@WGtBz@vFHg@@bESfAxBTJTJwAGYeCuA?gA?B@A@B@D?L?A?G?aA?D@H?G?\?D?E?AAG?tI@dH@~TME?Ona@_@DFsEG?
                Q@G?B?EC~@_@AnBm@AN@JBB~H_@Oz@CAnMj@dVG?D?B?O?eE@Pg@lABJBBoWdAjA}@`ED?[?B?A@A?J?D?A?ADABA?A?A?C?
                B?A@A?A?A?A?A?B?A@D?G?D?D?A?J?QCC?E?Qr@BlGl@BdBJO@O?O?e@HnDv@]Kl@BIEBLFxCx]BQAMAwBB_BDLBAMLBx@FJ
                Dh@F^@BlAtIJN@MAIEn@?GFNBIEIEsC?w@c@Jd_@`vh@^z`CD~E@bsDLqhF}_B~O`n@kyCC`bCoavTA\`B~BpFno~@~~~@@~
                ~~@@
                """#),
        RegexProperty(
            names: "co|privateuse",
            packed: #"__w@~fE`w`[|~~@B|~~@"#),
        RegexProperty(
            names: "cs|surrogate",
            packed: #"__u@~~@"#),
        RegexProperty(
            names: "l|letter",
            packed: #"""
                `AXFXo@?J?D?EUA]AhMDJNCG?A?aCCA@BBA?F?AAA?ARAqAAiCHdDAd@B?Fg@gAYDBm@i@c@@AaBA?O@G@JAB?P?A\]wAK?X
                _@I@D?ETD?I?C?WWGIEVADQh@z@t@C?R?GHONDFB@BTAEA?CBC?P?M@AAN@J?HDD@BTAEA@A@A@_@BA?SAPGAAATAEA@ACC?
                R?O@W?KFB@BTAEA@ACC?^@AAO?Q?ADCAABC@A?A@C@CACJV?t@FAAAUANC?ZAB?B@^?DFAAAUAHACC?_@@A@O@QGAAAg@B?P
                ?EAHAXDEPCVAGA?BEz@n@A@LEz@@A?ACAVA?AHA@I?BCA?UB`@?_AFAb@[CsBi@T?PDDBC?C@GADKL?Qd@A?E?Bi@AkIABBE
                A?ABBg@ABB_@ABBEA?ABBMAw@ABBaAe@NPtABDCjRBOAXEiAFFGPMQNPNKAAOr@c@?D?cAwAGCB`@A?EdAJ]q@\BCKj@DXv@
                UIs@rA?}Am@QFv@\M@Jj@Zb@i@AJb@BGGi@BAi@BADA@C?E~D`AtGBDBd@BDBFA?A?A?A]Bs@AEA?CAAECBBDDKEAAEtB?M?
                PKeB?D?BHA?CCF?A?A?ABAIBBECD?t@@{rAcFFBC@Ld@A?E?Bv@G?PUIEAEAEAEAEAEAEAEpA?uM@j@CE@DtAFAAxAABEi@A
                |AQ^p@N`O~lE`AksTcAl@BkGCNJ@Tm@P]BdAq@GBeBB~@E@A?ACXNAAABAU]r@Np@~@DC?A@KZJUY[Gm@\?PCAHJCAg@WAAF
                TUC?Cp@A?C@BCB?A?XABIGALDBDBDIEAEAi@ALFqB]b|ILUDo@dgGlJBhBf@ELCE?AHAKACA?A@A@AjBa@iJR~@Bt@h@JtBC
                AeCd@XFXKwACDBDBDBAc@JAXAQA@AMBLb@yBeK[Co@o@^MRAFFd@J\Bb@DFp@|CRb@Db@Df@Hr@LIAMAEA@AIAMAEA@cAuHI
                TJFXDAh@AGeADB?Aj@A@C?BUJUI]aAQA@JTJXfAv@F@`A?OBAAA[j@[C[c@FAZ[t@JTJQMPnBgAw@q@Mq@Mb@|Ih@F@nA[J?
                HTj@Pn@S[ULs@y@@B?Mk@`@WZb@]?B?Ha@C?Ln@NBU?A?c@PAWS@_AEA?ABAMAHGm@f@FB@BTAEA@ACC?R?LC~Cs@RBTA^n@
                T@A?xDm@i@Bd@n@T?{@i@M?gAYe@EyDj@tB~@_@FB?BFA@AVO?A?~AFBe@P?A?\?Jf@G?U?Kl@S?RgAgGGAc@Q?q@\pBEA@A
                d@U?YDA@A^N?gIQO?AKA`@|B?oAx[fFbElqA_BOn`@QDy|BeQylGwPG]QmAQ\Rn@PB_@SEQpT~@`CiAE?bAK`A@A?\v~DHte
                @j@GgvGBAEA@AaHO?]AB?NBHjKdgAiBEKCGGHfzDsAAeAA@B?B@BBAJA?AEA_AABBFAEAZABACA?CEArIBWAWA]AWA]AWA]A
                WA]AWAFtx@]FDeG|@rCk@JEP?aI\Rj@dNZtVEABA@AMAcE{@bAG?td@BAYA@A?B?AHABA?A?F?D?A?A?AAA@A?B?A?A?A?A?
                A@A?BBAEABABA?AHAOEAACAOdiC~uh@`@x`CF|EB`sDNohF_`B|Obn@iyCE~aC
                """#),
        RegexProperty(
            names: "lc|casedletter",
            packed: #"""
                `AXFXz@?JUA]AaEABDnEAY`EBB@CAA?F?AAA?ARAqAAiCHdDAd@Ig@wwAd@A?E?Bi@BA`TtABDbcAGGi@BA`Aj@_AKA`@eBt
                GBDBd@BDBFA?A?A?A]Bs@AEA?CAAECBBDDKEAAEeG?D?BHA?CCF?A?A?ABADD?BBECD?t@@{rAzBBeBFBC@Ld@A?E?rg]l@R
                ZfClAAUCBAy@E@A?AC[@C?uXi@EGGnA`yRELCi_@XFXed@nA`Bb@Db@tBIAMAEA@AIAMAEA@cu@q@Mq@m|A~@`jT~@`kXsAA
                eAA@B?B@BBAJA?AEA_AABBFAEAZABACA?CEArIBWAWA]AWA]AWA]AWA]AWAFtx@HARFDumAbA
                """#),
        RegexProperty(
            names: "ll|lowercaseletter",
            packed: #"""
                `BXz@?i@VAFA?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A@A?A?A?A?A?A?A?A@A?A?A?A?A?A?A
                ?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?B?A?AAB?A?B?C@D?B?CAB?B?A?A?B?A@A?B?C?A?B@BAF?B?B?A?A?A?A?A?A?A
                ?A@A?A?A?A?A?A?A?A?A@B?A?C?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?AEB?B@A?D?A?A
                ?A?AcAAYaE?A?C?CAR?[a@A@CAA?A?A?A?A?A?A?A?A?A?A?ACA?B?B@s@n@A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?I?
                A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?B?A?A?A?A?A?A@A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?
                A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?p@g@gyAi@BAxVDbcAGwBj@_AKA`@fB
                ?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A
                ?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?AGA?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A
                ?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?AGHDJFHFHDJFHFHLBFHFHFHCA@F?CAA@HBB@HFJAA@r
                G?C@C?[?D?D?B@HBD?u@?ktAn@A?C@A?A?A?D?A@ADE?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?
                A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A@G?A?D?Ld@A?E?sg]?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A
                ?A?A?A?A?A?S?A?A?A?A?A?A?A?A?A?A?A?A?A?gC?A?A?A?A?A?AAA?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?
                A?A?A?A?A?A?A?A?A?A?AFA?A?B?A?A?A?A?D?A?B?AAA?A?A?A?A?A?A?A?A?A?E?E?A?A?A?A?A?A?A?D?A?F?A?A?A?A?
                \?C?uXi@EGGnA`yRELCi`@Xme@f@hCb@{CIAMAEA@cw@q@m}A^`kT^zkXXZEAPZXZBA?AEAIZXZXZXZXZXZXZXZXZZ\WADZW
                ADZWADZWADZWADA?tx@HARFDwnA`@
                """#),
        RegexProperty(
            names: "lm|modifierletter",
            packed: #"""
                oTPDJNCG?A?eC?E?~M?fF?dD@mG@D?_@?I?C?`D?gD?te@?_C?uP?zu@?kB?cR?pMDnD}@M?b@c@qT?M?PK_~A@qF?_E?uM?
                k@CE?aB@}AAvwZ?bf@DnG?rB?\@yBGpA?W?iBAC@uM?V?iC?lB?U@gBBI?f_T?m@@`~@DAh@AGe{WBoa@K`A@A?l_OBAEA@q
                `K|@iEEm\?_b@?
                """#),
        RegexProperty(
            names: "lo|otherletter",
            packed: #"""
                iD?O?`G?DBpE?{XYDBm@^AHc@@AaBA?X@JAB?P?A\]wAK?X_@UTj@WGIEVADQg@{@t@C?R?GHPMDFB@BTAEA?CBC?P?M@AAN
                @J?HDD@BTAEA@A@A@_@BA?SAPGAAATAEA@ACC?R?O@W?KFB@BTAEA@ACC?^@AAO?Q?ADCAABC@A?A@C@CACJV?t@FAAAUANC
                ?ZAB?B@^?DFAAAUAHACC?_@@A@O@QGAAAg@B?P?EAHAXDEPCVAGA?BEz@n@A@LD{@@A?ACAVA?AHA@I?BCWB`@?_AFAb@[Cs
                Bi@T?PDDBC?C@GADKL?qBgIABBEA?ABBg@ABB_@ABBEA?ABBMAw@ABBaAe@NqBjRBOAXEiAFFGPMQNPNKAAOr@h@?cAa@As@
                GCB`@A?EdAJ]q@\BCKj@DXv@UIs@pDm@QFv@\M@Jj@Zb@i@AJ\qBBADA@C?z`@Bw~Av@XUIEAEAEAEAEAEAEAEgP?u@?DtAH
                ?AxAD?Ei@A|AQ^p@N`O~lE`AsoSAub@cAf@HjGDNJ@bA?q@dAiD?gB?CEAAABAU]r@Np@~@DC?A@KZJUY[Gm@m@CBGJCAg@W
                AAFTNADC?Cp@A?C@BCB?A?X@CIG?NDBDBDIEAEqCa@]b|ILUDo@dgGlJBhBcA?AHAKACA?A@A@AjBa@iJR~@Bt@h@JtBCAeC
                iBHAk@B]CDBDBDBAc@JAXAQA@AMBLb@yBeK[Co@o@^MRAFFd@J\Bb@DF`ClAbBf@Hr@|CuHITJFxCDB?Aj@A@C?BUJUI]aAQ
                A@JTJXfAv@F@`A?OBAAA[j@[C[c@FAZ[t@JTJQMPnBgAwDb@|Ih@F@nA[J?HTj@Pn@S[ULs@y@@B?Mk@`@WZb@]?B?Ha@C?L
                n@NBU?A?c@PAWS@_AEA?ABAMAHGm@f@FB@BTAEA@ACC?R?LC~Cs@RBTA^n@T@A?xDm@i@Bd@n@T?{@i@M?gAYe@EyDj@sEFB
                ?BFA@AVO?A?~AFBe@P?A?\?Jf@G?U?Kl@S?RgAgGGAc@Q?q@\pBEA@Ad@U?YDA@A^N?gIQO?AKA`@|B?oAx[fFbElqA_BOn`
                @QDy|BeQylGwPG]QmAQ\Rn@s@SEQpZiAE?oDv~DHte@j@GwvGaHO?]AB?NBHjKdgAiBEKCGGHprG?uNk@a@?aI\Rj@dNYuVE
                ABA@AMAcE{h@BAYA@A?B?AHABA?A?F?D?A?A?AAA@A?B?A?A?A?A?A@A?BBAEABABA?AHAOEAACAOdiC~uh@`@x`CF|EB`sD
                NohF_`B|Obn@iyCE~aC
                """#),
        RegexProperty(
            names: "lt|titlecaseletter",
            packed: #"dM?B?B?f@?ukFFHFHFL?O?o@?"#),
        RegexProperty(
            names: "lu|uppercaseletter",
            packed: #"""
                `AXeBUAEa@?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?B?A?A?A?A?A?A?A?B?A?A?A?A?A?A?A
                ?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A@A?A?C@A?A@AABBA@AAC@A@A?A?A@A?B?A@AAA?A@C?G?B?B?B?A?A?A?A?A?A?A
                ?B?A?A?A?A?A?A?A?A?B?B?AAA?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?G@A@B?ABA?A?A
                ?A?aH?A?C?H?F?AAA?A@AOAGc@?BAC?A?A?A?A?A?A?A?A?A?A?A?E?B?A@Bq@p@?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A
                ?I?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A@A?A?A?A?A?A?B?A?A?A?A?A?A?A?A?A?A?A?A?A
                ?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?Bd@iyAd@A?E?rUtAzcAi@BA`I?A
                ?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A
                ?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?I?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A
                ?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?IFHDJFHFHDK?A?A?A?HFhABLBLBLCKBfG?D?CABAB?C
                CF?A?A?ABBBJ@E?}@?|rAn@p@?AAB?A?A?ABA?B?HAA?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?
                A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?H?A?D?mi]?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?
                A?S?A?A?A?A?A?A?A?A?A?A?A?A?A?gC?A?A?A?A?A?A?C?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A
                ?A?A?A?A?A?J?A?A@A?A?A?A?D?A?B?A?C?A?A?A?A?A?A?A?A?A?ACACA?A?A?A?A?A?A?ABA?F?E?A?\?kxTXee@f@hCb@
                |CIAMAEA@jv@q@m~A^`kT^`lXXZXZXZ?A@B?B@BBAFZXZ@ABBFAE[@ABACA?CE[XZXZXZXZXZX^Wa@Wa@Wa@Wa@Wa@?uhC`@
                """#),
        RegexProperty(
            names: "m|mark|combiningmark",
            packed: #"""
                _WnBsGEgGk@A?A@A@A?hAIp@SP?eBEBDB@ABc@?^Y{AIz@GI?XBAGAAACk@A|@Fj@VA_@v@AAPAEJ@]Ax@?AEB@BAI?J@Z?B
                Ax@?ACD@BAC?^@C?KAx@?AFAAAAT@VDAAx@?AEB@BAGAJ@^?{@CCAABI?h@Cw@?AEAAABG@K@]Ax@?AEAAABG@K@O?LBw@@A
                EAAABI?J@]AfA?DDA?AFR@}@?BELFbB?BGKEiA@[?A?A?D@q@RA@EIAb@I?dBRWBDAAABECBMJA?JB_UAr\B\A]@^@`A^I?m
                @AA?uB@b@?vBJDJ{ECy@HA[B?p@]q@Co@Of@GLA^Kx@Lp@RxCAASD?F?BAfE~@pU_@~~AAmC?`B^jPDiB@tm\BAH`@@pA@pG
                ?C?D?WCD?sA@r@PZPM?f@FYKl@Bo@Ld@?cALL?H@m@Ar@?AAB@E@A?i@CE@lFFA@pxR?aVNPNm]?bF?uCCfs@AA@EBh@AD?e
                D@}PBcK@pAAfAIq@BzBAu@Mi@?B@JBm@IG?}@Ad@LP@l@?LAp@LHBA@|AJF?B?}CJUBw@@AEB@BAI?J@BECC`EPW?qARkFEB
                G[@rAOjBKeBM`GMuFDA@BBA?A@mCEBEC?\Hh@EABH?IIn@NuKFAFrATALzBDC?A@AEA?bACA@AC{IBI@A?p@ECC}fD?FMzsL
                C{@Ex_@?Au@GBqA?K@kdR@arCl@BU~OCCDHFBE^BtCA{|@u@Dp@H?N?VCAMpi@EAOBEA@ACdB?`DEwJ?}@B|NB`^EmBEu|dW
                nF
                """#),
        RegexProperty(
            names: "mc|spacingmark",
            packed: #"""
                bgA?w@?BAHBA@r@@z@AF@B@J?k@?z@AbA?z@AH?A@u@@z@?A?F@B@J?fB@A@CAAAJ?i@A}@B}@@z@?ACB@A@I@\?N@z@AEAA
                AJ?j@@kAAFFR@jI@_A?kD@D?F?B@Y@JABEU@BDB?JAxr@?^?aC?GFA@zIBBAD@AD`F@z@?A?I?A@HDqC?p@?E?ACA@}@?^?D
                @B?|@?BAA?C@p@FH@kD?U?vxC@s~\@B?xA@r@NnC@o@?p@@D@BAnB@B@X?m@?A?mB?B@E?mF@A@A@A?s_X?A?_C?m@AD@sB?
                X@{@?p@AI@M?}AAC@A?jDA_@@z@@ABB@BAI?J@qEAH@C?jBAF?ABB?mFAFBB?qBAH@A?mB?A@F?iB@D?eGAI?wFDA@D?B?A?
                nCAHBD?tA?]@~@?wK?N?jB?G?B?uECD@A?~I@L?p@@H@A?o_Su@hB@sjW@FD
                """#),
        RegexProperty(
            names: "me|enclosingmark",
            packed: #"gc@@tpD?~o@BAAkk`@A"#),
        RegexProperty(
            names: "mn|nonspacingmark",
            packed: #"""
                _WnBsGCiGk@A?A@A@A?hAIp@SP?eBEBDB@ABc@?^Y{AIz@GI?XBAGAAACk@A|@Fj@VA^w@?A?DFD?CEJ@]?z@?DBH?T@Z?B@
                y@?D@D@BAC?^@C?K@y@?DCA@D?T@VDA?z@?B?ABH?G@K@^?}@?L?r@?C?w@?AAEAABG@K@]?z@?B?F?E@T@\@y@@DBH?T@]?
                hA?GAA?zA?BELFbB?BGKEiA@[?A?A?w@LACA@EIAb@I?fBBADA@B@Y@DAPBM?B@F?O?_UAr\A]@^@^@`A@AEH?BII?m@AA?u
                B@b@?vBAD@I?FA{E@B?z@?AEA?A?BFFHB?p@LANq@Bp@?ACA?E?h@GL@`@BB@AAx@?A@C?AAz@FB@xCAAKAED?F?C@fE~@pU
                KD?CJ~~AAmC?`B^jPBkB@tm\?DH`@@pA@pG?C?D?Y@E?wC@ZPM?f@FYIn@Ap@?BBB@g@?cADB@B@L?H?o@?s@?AAB@E@A?j@
                @H?nF?B?D?pxR?aVNPNm]?bF?uCCfs@AA@EBh@AD?eD@}PBcK@pAAfAIq@B{B?v@Mi@?B@JAq@BB@G?}@Ad@CAF~@?L@t@GJ
                BB?_BAB?A@F?B?}C?CFU@y@@C?e@ECCcEFBAA?W?tADA?D@A@nFBF@A@[@uAFB?A@jB?A?BDA?eBABBACcGGA@`G@A?D?pCB
                B@D?`@Hh@DBBH?IDBAn@KA@vKEADA?rATBEA@A@zBDC?A@AEA?hA@C?A?{I@K@t@CE?A?}fD?FMzsLC{@Ex_@?_ABqA?xdR@
                arCl@BU`PAQFBE^BtCA{|@u@Dp@H?N?VCAMpi@EAOBEA@ACdB?`DEwJ?}@B|NB`^EmBEu|dWnF
                """#),
        RegexProperty(
            names: "n|number",
            packed: #"""
                o@HxB@E?BAal@HfCHfEH|KHvBHDDlBHvBHvBHBDnBKsBHHEgBHhBEGQmBH`BHvBHfARlGHfAHoURqZAoFHFHVHlHH`CIeDHF
                HvDHvAHfCHFHv_@?CDFHfEq@BCvUz@nATvR\ij@?iW?YGNAwIBjCH^FAM`@Hg@M`z[H|DH`IDzCHf@HfEHVHvAHvKHvwSHmN
                k@Lw@Q@uIYd@B]?H?fCCjEHn\FYEg@GkACVD`D@BNBl@`AGt@@^AkAChBFXFi@EjIDp@HfH]~CHj@BpBEfC\`CH|@HpCHGR{
                FHvIHvBHvJHfBHfBJdLQ}AHvV[cFHfAHfLHfBSk`@mBqnPHvAHfCHAE~WUi`XRLRlBWua@p@`iAHfLHvNHm]G`CHwWy@AAAB
                lAk@AMb]KcvAH
                """#),
        RegexProperty(
            names: "nd|decimalnumber|digit",
            packed: #"""
                o@Hfp@HfCHfEH|KHvBHvBHvBHvBHvBHvBHvBHvBHvBH`BHvBHfAHvGHfAHfy@Hf@HlHH`CHfDHFHvDHvAHfCHFHfma@HfTHf
                @HfEHVHvAHvKHvwSHfk@HfcAHlXH`CH|@HpCHvGHvIHvBHvJHfBHfBHfLHfBHvVHvFHfAHfLHfwQHvAHfCHtbZp@`iAHfLHv
                NHva@HvsCH
                """#),
        RegexProperty(
            names: "nl|letternumber",
            packed: #"mvDAorAa@BB~rB?YGNAkt\HpqUs@lM?H?fCCj`GmB"#),
        RegexProperty(
            names: "no|othernumber",
            packed: #"""
                qD@E?BAuhADxJDxBAeCEyEEQGqLHu`@Rsb@H`N?us@?CDFHfENi@?vUz@nATvR\ij@?tc@BjCH^FAM`@Hg@Mpj\DqeUk@aAB
                Q@uIYd@Bth@FYEg@GkACVD`D@BNBl@`AGt@@^AkAChBFXFi@EjID`J]~CHj@BpBEfCR{JRei@@nLGgZQsYSf{QE~WUi`XRLR
                lBWniDGa\y@AAABlAk@AMb]K
                """#),
        RegexProperty(
            names: "p|punctuation|punct",
            packed: #"""
                `@AADABJ@C@ZAA?[?A?c@?E?C?J@C?C?~T?H?rMDi@@s@?A?B?B?l@@T@A@M?AAjABfB?k@LiFAv@M_@?eG@J?lC?xB?yB?f
                K?L?oJ?zA?J@hDMA?e@BgA?jACD@oBDkD?dRGwC?mR?l@@nAAgA@}CAAAe@IyH@xE@`CEADlDE\@}BB{@C~@@`AFK?|XVHRA
                KAJ^@N@yRB]@}`@LoA@_@HsKT_AB`@@{VBA@pB?oCm@A^BJcLADHBJP?L?bB?zA?b_\@mGAcB?J?sBD|JBvA@h@AA?q@@o@?
                aBKP@|BB~B@P@yF?riS@pEHVa@ALA?D?A@uCAADABJ@C@ZAA?[?A?AEzKA|S?p@?~K?gV?gE?_@?pGGf@?pBEbAEyABpW?gD
                Cl@B}DEmB@AB~BBp@@oABD?M?AAxADkB?aLCJ@A?hB?zFUiBA\KlA?bCA|F?hGA{C?|AFsAAAC}AHwHCj@@eS@jAKoD?pb@C
                |zA@{rM@eC?aACH?rYBgI?|dR?gnFCruB@
                """#),
        RegexProperty(
            names: "pc|connectorpunctuation",
            packed: #"~A?_~F@S?~mv@@XAoF?"#),
        RegexProperty(
            names: "pd|dashpunctuation",
            packed: #"l@?|i@?s@?aqB?e_@?i_ADaoB?B?_@@D?\?~L?S?oB?pkr@@e@?J?iD?_|B?"#),
        RegexProperty(
            names: "pe|closepunctuation",
            packed: #"""
                h@?s@?_@?}tB?A?~y@?ilA?w@?O?zR?A?^?~`@?A?A?A?A?A?A?pA?`@?A?A?A?A?tK?A?A?A?A?A?A?A?A?A?A?`A?A?a@?
                e`@?A?A?A?l@?A?A?A?lL?A?A?A?A?C?A?A?A?B@~gr@?yE?]?A?A?A?A?A?A?A?C?Q?A?A?jD?s@?_@?B?B?
                """#),
        RegexProperty(
            names: "pf|finalpunctuation",
            packed: #"zD?}yF?C?\?hmB?A?D?B?O?C?"#),
        RegexProperty(
            names: "pi|initialpunctuation",
            packed: #"jD?lzF?B@B?Y?hmB?A?D?B?O?C?"#),
        RegexProperty(
            names: "po|otherpunctuation",
            packed: #"""
                `@AAAB?A?A@J@C@[?dA?E?N@G?~T?H?rMDi@?v@?B?B?l@@T@A@M?AAjABfB?k@LiFAv@M_@?eG@J?lC?xB?yB?fK?L?oJ?z
                A?J@hDMA?pB?jACD@oBDkD?dRGeW?|BAgA@}CAAAe@DAByH@xE@`CEADlDE\@}BB{@C~@@`AFK?bY@HFHGBBBACIA?AHzcBB
                A@pB?oC@DAB?BGA@A?B@JCAHBBA?AKBAlLAy@?}D?b_\@mGAcB?J?sBD|JBvA@h@AA?q@@o@?aBKP@|BB~B@P@yF?dpSEB?V
                ?T@BBCAABGAF?A@uCAAAB?A?A@J@C@[?d@?B@zKA|S?p@?~K?gV?gE?_@?pGGf@?pBEbAEyABx\Cl@B}DEmB@AB~BBp@@oAB
                D?M?AAxADkB?aLCJ@A?hB?zFUiBA\KlA?bCA|F?hGA{C?|AFsAAAC}AHwHCj@@eS@jAKoD?pb@C|zA@{rM@eC?aACH?rYBgI
                ?|dR?gnFCruB@
                """#),
        RegexProperty(
            names: "ps|openpunctuation",
            packed: #"""
                g@?r@?_@?~tB?A?~y@?~jA?C?f@?w@?O?zR?A?^?~`@?A?A?A?A?A?A?pA?`@?A?A?A?A?tK?A?A?A?A?A?A?A?A?A?A?`A?
                A?a@?e`@?A?A?A?Y?R?A?A?A?lL?A?A?A?A?C?A?A?A?B?ahr@?wE?]?A?A?A?A?A?A?A?C?Q?A?A?jD?r@?_@?C?B?
                """#),
        RegexProperty(
            names: "s|symbol",
            packed: #"""
                c@?F?PA_@?A?[?A?c@CA@B?ABB?C?^?_@?jMBLLEEA?AOuB?N@pB?kC?jGAvBAB?B@nE?J?S@wF?G@hC?iJ@F@uF?~B?bCFd
                C?oE?i@?eE?aEAO?AABDT?A?A?eCFADA@EBeE@pVHsU?mJ?dJ?}C`@aJHIG`a@?AAKAMAMAM@eA?M?g@AMAS_@_A@ABA@J?A
                AEDA?A?A?D?K@DCEBA?z@@DvJD[BzFYIqAlAVfRl@o@B]JqKV}@D^BtJB^AgBeFDeJ@n@XAwALtEZJH?M@L?U@F@{A@sF@DH
                `@b@\]K\H?O^Je@O~H`mE~@psTu@yPUI@gB@}CBJB}PAaF?N@}|R?hCO}JN_C?l@BbB?AAB?zC?F?PA_@?A?[?A?aCEAEM@y
                HGy@OBAAKC?o@k@zr@@oQ?vbB?ucA[jyQBE?viS?stCrB|@tFJe@Bz@EAV@G\D{@U`AC?zDuAjZ?Y?_@?Y?_@?Y?_@?Y?_@?
                Y?|@~Nw@Br@FALA@hu@?oL?llA?C?}B?aM@nGj@DbBLMBMAMAc@W_Dx@[Mj@DGG@NDzCv]DOCKCuBD}AFJD?OJDv@HHFf@H\
                B@nArILLBKCGGl@AEHLDGGGGqCAu@
                """#),
        RegexProperty(
            names: "sc|currencysymbol",
            packed: #"""
                c@?}BBif@?{B?rN@rN@G?uF?gG?eQ?{kA?deA_@wz`@?cmT?lB?zC?{E@C@v~FB~wo@?plA?
                """#),
        RegexProperty(
            names: "sk|modifiersymbol",
            packed: #"""
                }A?A?gA?F?D?C?iOBLLEEA?AOuB?N@bg@?txD?AAKAMAMAM@|cC@cr\UI@gB@p]?N@faSO{Z?A?bD?w_|@C
                """#),
        RegexProperty(
            names: "sm|mathsymbol",
            packed: #"""
                j@?PA}@?A?m@?D?e@?_@?~V?oOA{pE?M?g@AMAkC?g@CF?dACE@D?B?B?G?_@@B?A?_@jG`@@zA?^Wh@DuM?I?v@FoB?pICB
                ]JN`GaCV}@D^B`Gp@SBD|}r@?xX?AAdD?PA}@?A?cC?FBtut@?Y?_@?Y?_@?Y?_@?Y?_@?Y?lxD@
                """#),
        RegexProperty(
            names: "so|othersymbol",
            packed: #"""
                eD?B?D?A?q]?jG@_C@nE?J?S@wF?cO?uJ?bCDA?dC?oE?i@?gKAO?AABDT?A?A?eCFADA@EBeE@pVHsU?rU?}C`@aJHIGck@
                @ABA@J?A@FDA?A?A?D?K@N?A@A?z@@ICBBA@A@AEA]B@A?A]lGFDRBEBoAA\Yf@FcAYIqAlAVuDAGAt@HmBAvFl@j@`A~F`O
                n@U@Fe@B^AgBeFDeJ@n@XAwALtEZJH?M@L?U@F@pI@DH`@b@\]K\H?O^Je@O~H`mE~@psTu@aZBJ@A?}PAfuSN_C?m@AdN?C
                ?D@M@yHGy@OBAAKC?o@k@zr@@oQ?vbB?ucAFDOjyQBE?viS?stCrB|@tFJe@Bz@EAV@G\D{@U`AC?zDuAid@~Nw@Br@FALA@
                hu@?|yA?aC?qUj@DbBLMBMAMAc@W_Dx@[Mj@DGG@NDzCyFEvUDOCKCuBD}AFJD?OJDv@HHFf@H\B@nArILLBKCGGl@AEHLDG
                GGGqCAu@
                """#),
        RegexProperty(
            names: "z|separator",
            packed: #"_@?_C?_nD?_kAI]@E?o@?`|B?"#),
        RegexProperty(
            names: "zl|lineseparator",
            packed: #"g`G?"#),
        RegexProperty(
            names: "zp|paragraphseparator",
            packed: #"h`G?"#),
        RegexProperty(
            names: "zs|spaceseparator",
            packed: #"_@?_C?_nD?_kAId@?o@?`|B?"#),
    ]

    /// Scripts; a scalar has one.
    static let scripts: [RegexProperty] = [
        RegexProperty(
            names: "adlm|adlam",
            packed: #"_gyBjADHD@"#),
        RegexProperty(
            names: "ahom",
            packed: #"_wdAYBMDU"#),
        RegexProperty(
            names: "hluw|anatolianhieroglyphs",
            packed: #"__pAeQ"#),
        RegexProperty(
            names: "arab|arabic",
            packed: #"""
                _o@CADALAAA^AHKXAjBA`@pAn@pF]A@FhAA[pq{@qBPiJBnABt@G?`@NpBCAeCczB]~BA`wv@BAYA@A?B?AHABA?A?F?D?A?
                A?AAA@A?B?A?A?A?A?A@A?BBAEABABA?AHAOEAACAOt@@
                """#),
        RegexProperty(
            names: "armn|armenian",
            packed: #"ph@d@Bp@BAck|@C"#),
        RegexProperty(
            names: "avst|avestan",
            packed: #"_waAt@CE"#),
        RegexProperty(
            names: "bali|balinese",
            packed: #"_wEkACm@"#),
        RegexProperty(
            names: "bamu|bamum",
            packed: #"_th@vAhgo@wP"#),
        RegexProperty(
            names: "bass|bassavah",
            packed: #"ouyA\BD"#),
        RegexProperty(
            names: "batk|batak",
            packed: #"_}Er@HB"#),
        RegexProperty(
            names: "beng|bengali",
            packed: #"_kABAFB@BTAEA?CBBGB@BBH?D@ACBW"#),
        RegexProperty(
            names: "bhks|bhaiksuki",
            packed: #"__fAGAk@ALJ["#),
        RegexProperty(
            names: "bopo|bopomofo",
            packed: #"iV@yoJi@pB^"#),
        RegexProperty(
            names: "brah|brahmi",
            packed: #"__cAlADb@I?"#),
        RegexProperty(
            names: "brai|braille",
            packed: #"__I~F"#),
        RegexProperty(
            names: "bugi|buginese",
            packed: #"_oEZB@"#),
        RegexProperty(
            names: "buhd|buhid",
            packed: #"_yDR"#),
        RegexProperty(
            names: "cans|canadianaboriginal",
            packed: #"__D~RpPdAzl_AN"#),
        RegexProperty(
            names: "cari|carian",
            packed: #"_t_Ao@"#),
        RegexProperty(
            names: "aghb|caucasianalbanian",
            packed: #"oh`Ar@K?"#),
        RegexProperty(
            names: "cakm|chakma",
            packed: #"_gcAs@AP"#),
        RegexProperty(
            names: "cham",
            packed: #"_oi@u@ILBHBB"#),
        RegexProperty(
            names: "cher|cherokee",
            packed: #"_|CtABDrzd@nA"#),
        RegexProperty(
            names: "chrs|chorasmian",
            packed: #"o|bAZ"#),
        RegexProperty(
            names: "zyyy|common",
            packed: #"""
                ?_AZDZm@AMACW?_@?aMe@ECBRtB?I?F?A?}R?F?N?C?`@?|C?dO?aC@ye@?uKBbH?on@AgA@kE@A?me@?M?GBADAAB?eWJBu
                AAICIAMQ_@_Ad@AABDAYAOi@ADuSYIU~[`GrRB^AgB`O|ArKJDCA?AWOFDB{A@C?zA@sCN`@b@|@~@_@oAo@?xAfD`mE~@`g
                U`@fBAeDHtF?`D?kK?N@rmS@pEHVa@AQABsC?A^ZDZIJ?m@@`AEAEJCbGADk@CGpAKs@k@dFYdlm@BltCrB|@tFJe@B|@COH
                @G\D{@uERLRLuAIWgCsAAeAA@B?B@BBAJA?AEA_AABBFAEAZABACA?CEArIBbHBp@qbDbAlA{@bUj@DbBLMBMAMAc@JlDx@X
                A@Mj@DGG@NDzCv]DOCKCuBD}AFJD?OJDv@HHFf@H\B@nArILLBKCGGl@AEHLDGGGGqCAu@e@Hg_`W?^~A
                """#),
        RegexProperty(
            names: "copt|coptic|qaac",
            packed: #"a^LpcIrBEE"#),
        RegexProperty(
            names: "xsux|cuneiform",
            packed: #"__gAx[fBmBACKbE"#),
        RegexProperty(
            names: "cprt|cypriot",
            packed: #"__aADB?Aj@A@C?B?"#),
        RegexProperty(
            names: "cpmn|cyprominoan",
            packed: #"o{jAaB"#),
        RegexProperty(
            names: "cyrl|cyrillic",
            packed: #"__@cCBgDpyDGbD?lA?gbC^`a]~An{T@`ow@|@a@?"#),
        RegexProperty(
            names: "dsrt|deseret",
            packed: #"__`AnA"#),
        RegexProperty(
            names: "deva|devanagari",
            packed: #"_gAoADMBX`zf@^`o[H"#),
        RegexProperty(
            names: "diak|divesakuru",
            packed: #"_geAEB?BFA@A\A@BJIH"#),
        RegexProperty(
            names: "dogr|dogra",
            packed: #"__eAz@"#),
        RegexProperty(
            names: "dupl|duployan",
            packed: #"__nBiBEKCGGHBB"#),
        RegexProperty(
            names: "egyp|egyptianhieroglyphs",
            packed: #"__kAta@"#),
        RegexProperty(
            names: "elba|elbasan",
            packed: #"_g`Af@"#),
        RegexProperty(
            names: "elym|elymaic",
            packed: #"_~bAU"#),
        RegexProperty(
            names: "ethi|ethiopic",
            packed: #"""
                _oCgAABBEA?ABBg@ABB_@ABBEA?ABBMAw@ABBaAB^CXfnEUIEAEAEAEAEAEAEAEbh^DBDBDIEAEqdnAEABA@AM
                """#),
        RegexProperty(
            names: "geor|georgian",
            packed: #"_dCd@A?E?Bi@ABp{Ai@BA`aCd@A?E?"#),
        RegexProperty(
            names: "glag|glagolitic",
            packed: #"__J~A`|kBEAOBEA@AC"#),
        RegexProperty(
            names: "goth|gothic",
            packed: #"ox_AY"#),
        RegexProperty(
            names: "gran|grantha",
            packed: #"_wcABAFB@BTAEA@ACBGB@BAB?F?EEBECC"#),
        RegexProperty(
            names: "grek|greek",
            packed: #"""
                oZBAABBA?D?A?AAA?ARA}@NNfhECr@CDCtA?`ITBDBd@BDBFA?A?A?A]Bs@AMALBDAQBAAGgH?~pa@?zmTmAQ?_bs@dA
                """#),
        RegexProperty(
            names: "gujr|gujarati",
            packed: #"`sAAAGAAATAEA@ACBHAAAAB?OBBJGE"#),
        RegexProperty(
            names: "gong|gunjalagondi",
            packed: #"_jfADA@Ac@A@ADGH"#),
        RegexProperty(
            names: "guru|gurmukhi",
            packed: #"`oAAADD@BTAEA@A@A@B?ACD@BAC?GBA?GO"#),
        RegexProperty(
            names: "hani|han",
            packed: #"""
                _sJXAwALtEo@?A?YGNBd]~lE`A~nS`gUlJBhBhg\@L@n_c@~uh@`@x`CF|EB`sDNohF_`B|Obn@iyCE~aC
                """#),
        RegexProperty(
            names: "hang|hangul",
            packed: #"_gC~FnpF@aG|AqB]aA]av\[cSb|ILUDo@d|H]CDBDBDBA"#),
        RegexProperty(
            names: "rohg|hanifirohingya",
            packed: #"_gbAf@HH"#),
        RegexProperty(
            names: "hano|hanunoo",
            packed: #"_xDS"#),
        RegexProperty(
            names: "hatr|hatran",
            packed: #"_faAQA@EC"#),
        RegexProperty(
            names: "hebr|hebrew",
            packed: #"pk@u@HYDDhh|@XACA?A@A@AH"#),
        RegexProperty(
            names: "hira|hiragana",
            packed: #"`aKtAFAaz~A}GR?]AmdO?"#),
        RegexProperty(
            names: "armi|imperialaramaic",
            packed: #"_aaATAG"#),
        RegexProperty(
            names: "zinh|inherited|qaai",
            packed: #"""
                _WnBuG@dMIZ?`VB{iC]aOAAKAED?F?C@fE~@lO@bE_@yxBBkB@ejr@NPLo]?bF?zaC?d}m@l@BU`PAQFBE^BryjWnF
                """#),
        RegexProperty(
            names: "phli|inscriptionalpahlavi",
            packed: #"_zaAQEF"#),
        RegexProperty(
            names: "prti|inscriptionalparthian",
            packed: #"_yaATBF"#),
        RegexProperty(
            names: "java|javanese",
            packed: #"_ki@lABHD@"#),
        RegexProperty(
            names: "kthi|kaithi",
            packed: #"_ccAaAJ?"#),
        RegexProperty(
            names: "knda|kannada",
            packed: #"_cBKAAAUAHACBGAAABG@F@ABBHAA"#),
        RegexProperty(
            names: "kana|katakana",
            packed: #"`dKxABApFNpEm@AvAn_r@HAk@rak@BAEA@A?_HAr@?NB"#),
        RegexProperty(
            names: "kawi",
            packed: #"_wfAOAg@CZ"#),
        RegexProperty(
            names: "kali|kayahli",
            packed: #"_gi@l@A?"#),
        RegexProperty(
            names: "khar|kharoshthi",
            packed: #"_oaABA@EFAAA[BADHGG"#),
        RegexProperty(
            names: "kits|khitansmallscript",
            packed: #"c~zA?{wEtM"#),
        RegexProperty(
            names: "khmr|khmer",
            packed: #"_{D|ABHFHfN^"#),
        RegexProperty(
            names: "khoj|khojki",
            packed: #"_ocAPAm@"#),
        RegexProperty(
            names: "sind|khudawadi",
            packed: #"otcAy@EH"#),
        RegexProperty(
            names: "laoo|lao",
            packed: #"`sB@A?ACAVA?AUBCA?AEAHBB"#),
        RegexProperty(
            names: "latn|latin",
            packed: #"""
                `AXFXo@?O?EUA]A_Mg@C{oEd@Fo@EBEKAdAaA~FqJ?M?PKmC@F?[?Qg@wuA^bt]dBC~@E@A?ACXLpXi@AGABv{REz_@XFXe`
                ADAh@AGeyt@]FD
                """#),
        RegexProperty(
            names: "lepc|lepcha",
            packed: #"__Fv@CMCA"#),
        RegexProperty(
            names: "limb|limbu",
            packed: #"_gE]AJDJD?CJ"#),
        RegexProperty(
            names: "lina|lineara",
            packed: #"_o`AuHITJF"#),
        RegexProperty(
            names: "linb|linearb",
            packed: #"___AJAXAQA@AMBLb@yB"#),
        RegexProperty(
            names: "lisu",
            packed: #"oeh@n@pt]?"#),
        RegexProperty(
            names: "lyci|lycian",
            packed: #"_s_A["#),
        RegexProperty(
            names: "lydi|lydian",
            packed: #"_haAXE?"#),
        RegexProperty(
            names: "mahj|mahajani",
            packed: #"oicAe@"#),
        RegexProperty(
            names: "maka|makasar",
            packed: #"_vfAW"#),
        RegexProperty(
            names: "mlym|malayalam",
            packed: #"_gBKAAAq@AAADDNBX"#),
        RegexProperty(
            names: "mand|mandaic",
            packed: #"_aAZB?"#),
        RegexProperty(
            names: "mani|manichaean",
            packed: #"_uaAe@DJ"#),
        RegexProperty(
            names: "marc|marchen",
            packed: #"obfA^BTAL"#),
        RegexProperty(
            names: "gonm|masaramgondi",
            packed: #"_gfAEA@Aj@C?A@AGHH"#),
        RegexProperty(
            names: "medf|medefaidrin",
            packed: #"_qzAyA"#),
        RegexProperty(
            names: "mtei|meeteimayek",
            packed: #"_vi@UiEl@BH"#),
        RegexProperty(
            names: "mend|mendekikakui",
            packed: #"__yBcEBN"#),
        RegexProperty(
            names: "merc|meroiticcursive",
            packed: #"_laAVDRBl@"#),
        RegexProperty(
            names: "mero|meroitichieroglyphs",
            packed: #"_kaA^"#),
        RegexProperty(
            names: "plrd|miao",
            packed: #"_wzAiADw@GO"#),
        RegexProperty(
            names: "modi",
            packed: #"_odAcAKH"#),
        RegexProperty(
            names: "mong|mongolian",
            packed: #"__E@B?ARFwAGi@ul~@K"#),
        RegexProperty(
            names: "mroo|mro",
            packed: #"_qyA]AHD@"#),
        RegexProperty(
            names: "mult|multani",
            packed: #"_scAEA?ABAMAI"#),
        RegexProperty(
            names: "mymr|myanmar",
            packed: #"__C~C`ie@]aB^"#),
        RegexProperty(
            names: "nbat|nabataean",
            packed: #"_caA]HG"#),
        RegexProperty(
            names: "nagm|nagmundari",
            packed: #"oexBh@"#),
        RegexProperty(
            names: "nand|nandinagari",
            packed: #"_leAFBl@BI"#),
        RegexProperty(
            names: "talu|newtailue",
            packed: #"_kEj@DXFIC@"#),
        RegexProperty(
            names: "newa",
            packed: #"__dAzAAC"#),
        RegexProperty(
            names: "nkoo|nko",
            packed: #"_}@y@BA"#),
        RegexProperty(
            names: "nshu|nushu",
            packed: #"`~zA?nkOjK"#),
        RegexProperty(
            names: "hmnp|nyiakengpuachuehmong",
            packed: #"_gwBk@CLBHD@"#),
        RegexProperty(
            names: "ogam|ogham",
            packed: #"_sD["#),
        RegexProperty(
            names: "olck|olchiki",
            packed: #"oaFn@"#),
        RegexProperty(
            names: "hung|oldhungarian",
            packed: #"_cbAq@Mq@GD"#),
        RegexProperty(
            names: "ital|olditalic",
            packed: #"_w_Ab@IA"#),
        RegexProperty(
            names: "narb|oldnortharabian",
            packed: #"_saA^"#),
        RegexProperty(
            names: "perm|oldpermic",
            packed: #"oy_Ai@"#),
        RegexProperty(
            names: "xpeo|oldpersian",
            packed: #"_|_Ab@DL"#),
        RegexProperty(
            names: "sogo|oldsogdian",
            packed: #"_wbAf@"#),
        RegexProperty(
            names: "sarb|oldsoutharabian",
            packed: #"_raA^"#),
        RegexProperty(
            names: "orkh|oldturkic",
            packed: #"__bAgA"#),
        RegexProperty(
            names: "ougr|olduyghur",
            packed: #"ozbAX"#),
        RegexProperty(
            names: "orya|oriya",
            packed: #"`wAAAFB@BTAEA@ACBGB@BAGAD@ACBP"#),
        RegexProperty(
            names: "osge|osage",
            packed: #"od`Ab@Db@"#),
        RegexProperty(
            names: "osma|osmanya",
            packed: #"_c`A\BH"#),
        RegexProperty(
            names: "hmng|pahawhhmong",
            packed: #"_wyAdAJHAEASEQ"#),
        RegexProperty(
            names: "palm|palmyrene",
            packed: #"_baA^"#),
        RegexProperty(
            names: "pauc|paucinhau",
            packed: #"_ueAw@"#),
        RegexProperty(
            names: "phag|phagspa",
            packed: #"_ai@v@"#),
        RegexProperty(
            names: "phnx|phoenician",
            packed: #"_gaAZC?"#),
        RegexProperty(
            names: "phlp|psalterpahlavi",
            packed: #"_{aAPGBLE"#),
        RegexProperty(
            names: "rjng|rejang",
            packed: #"ohi@b@K?"#),
        RegexProperty(
            names: "runr|runic",
            packed: #"_tDiACI"#),
        RegexProperty(
            names: "samr|samaritan",
            packed: #"__Al@BM"#),
        RegexProperty(
            names: "saur|saurashtra",
            packed: #"_ci@dAHJ"#),
        RegexProperty(
            names: "shrd|sharada",
            packed: #"_kcA~A"#),
        RegexProperty(
            names: "shaw|shavian",
            packed: #"oa`An@"#),
        RegexProperty(
            names: "sidd|siddham",
            packed: #"_kdAt@Bd@"#),
        RegexProperty(
            names: "sgnw|signwriting",
            packed: #"__uBjSOCAM"#),
        RegexProperty(
            names: "sinh|sinhala",
            packed: #"`kBAAPCVAGA?BEC?DDA?AFFHBAl~_AR"#),
        RegexProperty(
            names: "sogd|sogdian",
            packed: #"oxbAh@"#),
        RegexProperty(
            names: "sora|sorasompeng",
            packed: #"oecAWGH"#),
        RegexProperty(
            names: "soyo|soyombo",
            packed: #"oqeAqA"#),
        RegexProperty(
            names: "sund|sundanese",
            packed: #"_{E~@`GF"#),
        RegexProperty(
            names: "sylo|sylotinagri",
            packed: #"__i@k@"#),
        RegexProperty(
            names: "syrc|syriac",
            packed: #"_w@LAz@BApGI"#),
        RegexProperty(
            names: "tglg|tagalog",
            packed: #"_wDTI?"#),
        RegexProperty(
            names: "tagb|tagbanwa",
            packed: #"_zDKAAA@"#),
        RegexProperty(
            names: "tale|taile",
            packed: #"oiE\BC"#),
        RegexProperty(
            names: "lana|taitham",
            packed: #"_pE}@A[BIFHFL"#),
        RegexProperty(
            names: "tavt|taiviet",
            packed: #"_si@aAXC"#),
        RegexProperty(
            names: "takr|takri",
            packed: #"_sdAx@FH"#),
        RegexProperty(
            names: "taml|tamil",
            packed: #"a{A@ADCAABC@A?A@C@CACJDCCAABB?F?NSe}cAp@M?"#),
        RegexProperty(
            names: "tnsa|tangsa",
            packed: #"oryAmAAH"#),
        RegexProperty(
            names: "tang|tangut",
            packed: #"_~zA?_@v~DH~V`OG"#),
        RegexProperty(
            names: "telu|telugu",
            packed: #"__BKAAAUANBGAAABG@AAB?BBBHGG"#),
        RegexProperty(
            names: "thaa|thaana",
            packed: #"_{@p@"#),
        RegexProperty(
            names: "thai",
            packed: #"`oBx@EZ"#),
        RegexProperty(
            names: "tibt|tibetan",
            packed: #"_wBfAAb@De@Ab@AMAED@"#),
        RegexProperty(
            names: "tfng|tifinagh",
            packed: #"ohJv@G@N?"#),
        RegexProperty(
            names: "tirh|tirhuta",
            packed: #"_cdAfAHH"#),
        RegexProperty(
            names: "toto",
            packed: #"oswB]"#),
        RegexProperty(
            names: "ugar|ugaritic",
            packed: #"_{_A\A?"#),
        RegexProperty(
            names: "vaii|vai",
            packed: #"_gh@jH"#),
        RegexProperty(
            names: "vith|vithkuqi",
            packed: #"oj`AIAMAEA@AIAMAEA@"#),
        RegexProperty(
            names: "wcho|wancho",
            packed: #"_uwBx@E?"#),
        RegexProperty(
            names: "wara|warangciti",
            packed: #"_deAqAL?"#),
        RegexProperty(
            names: "yezi|yezidi",
            packed: #"_sbAh@AAB@"#),
        RegexProperty(
            names: "yiii|yi",
            packed: #"__g@kc@Cu@"#),
        RegexProperty(
            names: "zanb|zanabazarsquare",
            packed: #"_oeAfA"#),
    ]

    /// Properties that a scalar has or has not.
    static let binary: [RegexProperty] = [
        RegexProperty(
            names: "wspace|whitespace",
            packed: #"HCR?dB?Z?_nD?_kAI]@E?o@?`|B?"#),
        RegexProperty(
            names: "joinc|joincontrol",
            packed: #"k_G@"#),
        RegexProperty(
            names: "alpha|alphabetic",
            packed: #"""
                `AXFXo@?J?D?EUA]AhMDJNCG?A?vA?j@CA@BBA?F?AAA?ARAqAAiCHdDAd@B?Fg@g@LA?A@A@A?HYDB]IEv@AENdBAFDFDAJ
                AB?Pn@McBX_@I@D?EVBQSWGIEVADQh@JJCEFjAANAADMMQAFB@BTAEA?CBCFB@B@A?H?D@ACL@J?DAADD@BTAEA@A@A@DCD@
                B@D?GBA?QDKAAGAAATAEA@ACCGAAA@C?OBUBDAAFB@BTAEA@ACCFB@B@I@D@ACM?P@ADCAABC@A?A@C@CACJDCCAAAC?F?h@
                KAAAUANCFAAAAH@AAB?BB\BAFAAAUAHACCFAAAAH@F@ABMALKAAAg@BFAAAAA?EBGCVDAAAPCVAGA?BEHDA?AFR@Mx@EEF?s
                @@A?ACAVA?AQAABCA?F?NB`@?_AFAb@DQDNAb@cAu@A?BCP~@JBBd@A?E?Bi@AkIABBEA?ABBg@ABB_@ABBEA?ABBMAw@ABB
                aAe@NPtABDCjRBOAXEiACIGRKSLRLKAAA@Lr@BQN?D?cAwAGi@EdAJ]AJDGW\BCKj@DXv@ZD}@BRr@?W@KAq@r@AMAFs@h@B
                BJj@AINu@VAJb@BGGi@BAi@BADA@C?E~Dg@LKtGBDBd@BDBFA?A?A?A]Bs@AEA?CAAECBBDDKEAAEtB?M?PKeB?D?BHA?CCF
                ?A?A?ABAIBBECD?Qg@mXr@vw@cFFBC@Ld@A?E?Bv@G?PUIEAEAEAEAEAEAEAEA^o@?uMAYGGCBCDtAFAAxAABEi@A|AQ^p@N
                `O~lE`AksTcAl@BkGCNJ@Tm@EFCoBg@GBeBB~@E@A?ACXRA_@Xr@LbAA?l@DC?AAJ_@Ea@M[Cq@AJO?PNJCAu@ILRUCcAA?A
                ?XABNBBKDBDBDIEAEAi@ALFyBUb|ILUDo@dgGlJBhBf@ELCEJAKACA?A@A@AjBa@iJR~@Bt@h@JtBCAeCd@XFXKwACDBDBDB
                Ac@JAXAQA@AMBLb@yBeAs@kG[Co@o@^M\Ei@E\Bb@DFACj@|CRb@Db@Df@Hr@LIAMAEA@AIAMAEA@cAuHITJFXDAh@AGeADB
                ?Aj@A@C?BUJUI]aAQA@JTJXfAv@F@`ABA@EFAAA[j@[C[c@FAZ[t@JTJQMPnBgAw@q@Mq@Mf@xIh@A@C@nA[J?HTj@Pn@S[U
                IdAk@CJw@I?MWWq@QBHa@C?I~@ABI@J?A?c@PA`@B?FB~@EA?ABAMAHGw@WBAFB@BTAEA@ACCFB@B@C?F?EE|C`AAAABTA^`
                AB@A?xDt@BEYDb@}@A?C?{@t@B?gAYBLUEyDw@gB~@_@FB?BFA@A\A@B@BB}AFBl@BDA?A@[q@BHQfAE?RgAgGGAk@AEA?q@
                \BTALiAEA@Aj@C?A@AAA?B@XDA@Ac@A@ABA?gIUIOAg@CAoB?oAx[fBmBQbElqA_BOn`@QDy|BeQylGwPG]QmAQ\Rn@PB_@S
                EQpT~@`CiADw@GO`A@A?L@Nv~DHte@j@GgvGBAEA@AaHO?]AB?NBHjKdgAiBEKCGGHD?azDsAAeAA@B?B@BBAJA?AEA_AABB
                FAEAZABACA?CEArIBWAWA]AWA]AWA]AWA]AWAFtx@]FDuEEAOBEA@ACE|@a@?pBk@JEP?aI\Rj@dNZtVEABA@AMAcE{@bAC?
                C?td@BAYA@A?B?AHABA?A?F?D?A?A?AAA@A?B?A?A?A?A?A@A?BBAEABABA?AHAOEAACAOtRXFXFXvrB~uh@`@x`CF|EB`sD
                NohF_`B|Obn@iyCE~aC
                """#),
        RegexProperty(
            names: "lower|lowercase",
            packed: #"""
                `BXo@?J?D?d@VAFA?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A@A?A?A?A?A?A?A?A@A?A?A?A?A
                ?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?B?A?AAB?A?B?C@D?B?CAB?B?A?A?B?A@A?B?C?A?B@BAF?B?B?A?A?A?A?A
                ?A?A?A@A?A?A?A?A?A?A?A?A@B?A?C?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?AEB?B@A?D
                ?A?A?A?AcAAb@G@^C`B?k@?A?C?BBR?[a@A@CAA?A?A?A?A?A?A?A?A?A?A?ACA?B?B@s@n@A?A?A?A?A?A?A?A?A?A?A?A?
                A?A?A?A?A?I?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?B?A?A?A?A?A?A@A?A?A?A?A?A?A?A?A?
                A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?p@g@gyAi@ABxVDbcAG
                wB~DaA?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A
                ?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?AGA?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A
                ?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?AGHDJFHFHDJFHFHLBFHFHFHCA@F?CAA@HBB@H
                FJAA@yB?M?PKmB?C@C?[?D?D?B@HBD?a@ND?kYXfy@n@A?C@A?A?A?D?A@AFC?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?
                A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A@G?A?D?Ld@A?E?sg]?A?A?A?A?A?A?A?A
                ?A?A?A?A?A?A?A?A?A?A?A?A?A?A?S?A?A?A?A?A?A?A?A?A?A?A?A?AAeC?A?A?A?A?A?AAA?A?A?A?A?A?A?A?A?A?A?A?
                A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?AHA?A?B?A?A?A?A?D?A?B?AAA?A?A?A?A?A?A?A?A?A?E?E?A?A?A?A?A?A?
                A?D?A?F?A?A?A?A?XAA?AAuXi@ALFnA`yRELCi`@Xme@f@hCb@{CIAMAEA@cM?BAAh@AGeg@q@m}A^`kT^zkXXZEAPZXZBA?
                AEAIZXZXZXZXZXZXZXZXZZ\WADZWADZWADZWADZWADA?tx@HARFDeG|@tdA`@
                """#),
        RegexProperty(
            names: "upper|uppercase",
            packed: #"""
                `AXeBUAEa@?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?B?A?A?A?A?A?A?A?B?A?A?A?A?A?A?A
                ?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A@A?A?C@A?A@AABBA@AAC@A@A?A?A@A?B?A@AAA?A@C?G?B?B?B?A?A?A?A?A?A?A
                ?B?A?A?A?A?A?A?A?A?B?B?AAA?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?G@A@B?ABA?A?A
                ?A?aH?A?C?H?F?AAA?A@AOAGc@?BAC?A?A?A?A?A?A?A?A?A?A?A?E?B?A@Bq@p@?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A
                ?I?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A@A?A?A?A?A?A?B?A?A?A?A?A?A?A?A?A?A?A?A?A
                ?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?Bd@iyAd@A?E?rUtAzcAi@BA`I?A
                ?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A
                ?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?I?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A
                ?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?IFHDJFHFHDK?A?A?A?HFhABLBLBLCKBfG?D?CABAB?C
                CF?A?A?ABBBJ@E?ZNS?rXXpx@n@p@?AAB?A?A?ABA?B?HAA?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?
                A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?H?A?D?mi]?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?
                A?A?A?S?A?A?A?A?A?A?A?A?A?A?A?A?A?gC?A?A?A?A?A?A?C?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A?A
                ?A?A?A?A?A?A?A?J?A?A@A?A?A?A?D?A?B?A?C?A?A?A?A?A?A?A?A?A?ACACA?A?A?A?A?A?A?ABA?F?E?A?\?kxTXee@f@
                hCb@|CIAMAEA@jv@q@m~A^`kT^`lXXZXZXZ?A@B?B@BBAFZXZ@ABBFAE[@ABACA?CE[XZXZXZXZXZX^Wa@Wa@Wa@Wa@Wa@?u
                hC`@n_AXFXFX
                """#),
    ]
}
