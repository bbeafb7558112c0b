// Names, and what they are in Latin letters: what the transforms of CLDR make of each name, and how it is commonly
// written; and near misses.

/// What a loose search finds, and what it doesn't.
enum SpellingPairs {
    /// Names that are found by what is written of them.
    static let found = pairs(
        """
        Москва: moskva, moskwa
        Санкт-Петербург: sankt-peterburg, sankt-peterburh, sankt-pyetyerburh, sankt-peterbūrg
        Санкт-Петербург: sankt-pyötyörburg, sankt-peterburq, sankt peterburg, sanktpeterburg
        Новосибирск: novosibirsk, novosybyrsk, novosībīrsk, nowosibirsk
        Екатеринбург: ekaterinburg, yekaterinburg, ekaterynburh, ekaterīnbūrg, yökatyörinburg
        Екатеринбург: yekaterinbūrg, ekaterinburq, jekaterinburg
        Нижний Новгород: nižnij novgorod, nizhniy novgorod, nyzhnyy novhorod, nizhniĭ novgorod
        Нижний Новгород: nīzhnīī̆ novgorod, nijniĭ novgorod, nijniy novgorod, nijniĭ nowgorod
        Нижний Новгород: nijniĭ novqorod, nizhny novgorod, nizhni novgorod
        Владивосток: vladivostok, vladyvostok, vladīvostok, wladiwostok
        Архангельск: arhangelʹsk, arkhangelʹsk, arkhanhelʹsk, arkhanhyelʹsk, arkhangel’sk, arkhan·gelʹsk
        Архангельск: arhangyölĭsk, arhan·gelʹsk, arkhangelsk, archangelsk
        Россия: rossiâ, rossiya, rossyya, rossīya, rossiyȧ, rossia, rossija
        Чайковский: čajkovskij, chaykovskiy, chaykovskyy, chaĭkovskiĭ, chaī̆kovskīī̆, chaĭkowskiĭ
        Чайковский: çaĭkovskiĭ, tchaikovsky, chaikovsky
        Достоевский: dostoevskij, dostoyevskiy, dostoevskyy, dostoevskiĭ, dostoevskīī̆, dostoyövskiy
        Достоевский: dostoewskiĭ, dostoevsky, dostoyevsky, dostojewskij
        Хрущёв: hruŝëv, khrushchëv, khrūshchëv, hrushchyov, hrushchëw, khrushchev, khruschev, hrushchev
        Горбачёв: gorbačëv, gorbachëv, horbachyov, gorbachyov, gorbachëw, gorbachev, gorbatchev
        Рахманинов: rahmaninov, rakhmaninov, rakhmanynov, rakhmanīnov, rakhmaninow, raxmaninov
        Рахманинов: rachmaninov, rachmaninoff, rakhmaninoff
        Пушкин: puškin, pushkin, pushkyn, pūshkīn, pūshkin, puşkin, puskin
        Гагарин: gagarin, haharyn, gagarīn, qaqarin
        Щедрин: ŝedrin, shchedrin, shchedryn, shtedrin, shchedrīn, shchyödrin, schedrin
        Юрий: ûrij, yuriy, yuryy, yuriĭ, yurīī̆, yu̇riĭ, yuri, yury, juri
        Александр: aleksandr, alyeksandr, alyöksandr, alexandr
        Цветаева: cvetaeva, tsvetayeva, tsvetaeva, tsvyetayeva, tsvyötayöva, tswetaewa, zwetajewa
        Подъячев: podʺâčev, podʺyachev, podŭyachev, podʹyachyöv, podʺyachew, podʹyachew, podyachev
        Київ: kií̈v, kyyiv, kyiv, kiiv
        Львів: lʹvív, lʹviv, lviv
        Харків: harkív, kharkiv, harkiv
        Шевченко: ševčenko, shevchenko, shyevchyenko, shyövchyönko, shewchenko, şevçenko, sevcenko
        Зеленський: zelensʹkij, zelensʹkiy, zelensʹkyy, zelens’kiĭ, zelensʹkīī̆, zelensʹkiĭ
        Зеленський: dzyölyönsĭkiy, zelensky, zelenskyy, zelenskyi
        Запоріжжя: zaporížžâ, zaporizhzhya, zaporizhzhia
        Мінск: mínsk, minsk
        Лукашэнка: lukašénka, lukash·enka, lukashenka, lūkashėnka, lūkashenka, lukaşėnka
        Магілёў: magílëŭ, mahilyow, magilyow
        България: bʺlgariâ, bʺlgariya, bŭlgariya, bʺlgarīya, bʹlgariya, bulgaria, balgaria
        Търново: tʺrnovo, tŭrnovo, tʹrnovo, tʺrnowo, tʹrnowo, tarnovo
        Пловдив: plovdiv, plovdyv, plovdīv, plowdiw
        Скопје: skopǰe, skopje, skopye
        Београд: beograd, beohrad, byeohrad, byöograd, byeograd, beoqrad
        Ђоковић: đoković, djokovic
        Љубљана: l̂ubl̂ana, ljubljana
        Његош: n̂egoš, njegoš, njegos
        Алматы: almaty, almatï, almatı
        Бишкек: biškek, bishkek, byshkek, bīshkek, bishkyök, bişkek
        Улаанбаатар: ulaanbaatar, ūlaanbaatar
        Тошкент: toškent, toshkent, toshkyent, toshkyönt, toşkent
        Бакы: baky, bakï, bakı, baki
        Азербайджан: azerbajdžan, azerbaydzhan, azyerbaydzhan, azerbaĭdzhan, azerbaī̆dzhan, azerbaĭdjan
        Азербайджан: adzyörbaydjan, azerbaijan, azerbaidjan
        Αθήνα: athḗna, athí̱na, athína, athina, athena
        Θεσσαλονίκη: thessaloníkē, thessaloníki̱, thessaloníki, thessaloniki
        Ελλάδα: elláda, elládha, ellada
        Κύπρος: kýpros, kípros, kypros, kipros
        Κρήτη: krḗtē, krí̱ti̱, kríti, kriti, crete
        Ηράκλειο: ērákleio, i̱rákleio, iráklio, iraklio, irakleio
        Λουξεμβούργο: louxemboúrgo, louxemvoúrgo, luxemvurgo, luksembourgo
        Μπουμπουλίνα: mpoumpoulína, boumpoulína, boumboulína, bouboulina, mpoumpoulina
        Παπανδρέου: papandréou, papandhréou, papandreou, papandreu
        Καζαντζάκης: kazantzákēs, kazantzáki̱s, kazandzákis, kazantzakis, kazandzakis
        Ευριπίδης: euripídēs, ev̱ripídi̱s, evripídhis, euripides, evripidis
        Σωκράτης: sōkrátēs, so̱kráti̱s, sokrátis, socrates, sokratis
        Αγγελόπουλος: angelópoulos, angelopoulos, aggelopoulos
        Χανιά: chaniá, khaniá, chania, hania, khania
        Καβάφης: kabáphēs, kaváfi̱s, kaváfis, kavafis, cavafis
        Φίλιππος: phílippos, fílippos, philippos, filippos
        Αύρα: aúra, áv̱ra, av́ra, avra, aura
        Γιάννης: giánnēs, giánni̱s, yiánnis, yannis, giannis
        Γκιζίκης: nkizíkēs, nkizíki̱s, gizíkis, gizikis, gkizikis
        とうきょう: toukyou, tōkyō, tokyo, tôkyô, tohkyoh
        おおさか: oosaka, osaka, ōsaka, ohsaka
        きょうと: kyouto, kyōto, kyoto
        さっぽろ: sapporo
        しんじゅく: shinjuku, sinzyuku
        しんばし: shinbashi, shimbashi
        ほっかいどう: hokkaidou, hokkaidō, hokkaido, hokkaidô
        ふじさん: fujisan, huzisan
        つしま: tsushima, tusima
        ラブレター: raburetā, raburetaa, raburetâ, rabureta
        コーヒー: kōhī, kohi, koohii
        マクドナルド: makudonarudo
        パーティー: pātī, pati, paatii
        ロンドン: rondon
        シェークスピア: shēkusupia, shekusupia, sheekusupia
        ファミリー: famirī, famiri, famirii
        ヴァレリー: vareri, bareri
        マッチ: matchi, macchi, matti
        けんいち: ken'ichi, ken’ichi, kenichi, kenniti
        じゅんこ: junko, zyunko
        ゆうこ: yuuko, yuko, yūko
        さとう: satou, satō, sato, satoh
        ちば: chiba, tiba
        ウィーン: win, wiin
        えん: en, yen
        """)

    /// Near misses.
    static let notFound = pairs(
        """
        か: ga, kya, ki
        が: ka
        は: ba, pa, ka
        ば: ha, pa
        し: ji, so, shu
        つ: so, zu, chi
        きょう: kyu, kio
        さか: sakka
        さっか: saga
        とうきょう: kyouto, tokio, dokyo
        きょうと: tokyo
        おさか: ōsaka, oosaka
        ラブレター: rabureto, lovuretaa, raberuta
        ファン: hun, pan
        りんご: ringa, lingo
        ん: ng
        Москва: moskwo, maskva, moscow, moska, mōskva
        Афины: athens, athina, afinas
        Киев: kyiv, kiyiw
        Шевченко: sevzenko, shevtschenka, čevčenko
        Пушкин: puskhin, bushkin
        Чехов: sehov, gehov
        Щука: suki, schtuki
        Юрий: jorij, yura
        Горький: gorkov, korky
        Санкт-Петербург: saint petersburg, petersburg
        Ленин: lenik, lēnin
        Αθήνα: athens, atina, athinai
        Κύπρος: cyprys, kipras
        Σωκράτης: sokratos, zokratis
        Κρήτη: kretta, creta
        Ελλάδα: hellas, greece
        Θεσσαλονίκη: saloniko, tessaloniki
        Αύρα: abra, aubra
        Δελφοί: telphi, delphy
        """)

    /// A line's text, before the colon, with each of the queries after it.
    private static func pairs(_ lines: String) -> [(text: String, query: String)] {
        lines.split(separator: "\n").flatMap { line in
            let parts = line.split(separator: ":")
            return parts[1].split(separator: ",").map { query in
                (text: String(parts[0]), query: String(query.drop { $0 == " " }))
            }
        }
    }
}
