// Names and shapes of secrets, and those that only look like them.

import PipelineHTTP
import Testing

@Suite("Names of secrets")
struct SecretNameTests {
    @Test(arguments: [
        "key", "api_key", "X-Api-Key", "X-Appkey", "apikey1", "token1", "clientSecret", "sharedSecret_v2",
        "authcode",
        "access-code", "code", "otp", "pin", "consumerkey", "licensekey", "devkey", "servicekey", "appid", "sid",
        "Authorization", "Cookie", "x-amz-signature", "subscription-key", "passwd", "csrf_token", "tokens",
        "apiKeys",
        "sessionToken", "page_auth_key", "searchKey", "frontendkey", "pwd2",
    ])
    func `are told`(name: String) { #expect(SecretNames.isSecret(name)) }

    @Test(arguments: [
        "page", "pageToken", "nextPageToken", "X-Continuation-Token", "x-ms-continuationtoken", "startKey",
        "lastKey",
        "exclusiveStartKey", "resumptionToken", "sort_key", "datasetKey", "countryCode", "country_code", "postcode",
        "zipcode", "lang_code", "status_code", "barcode", "max_tokens", "keyword", "author", "passport", "turkey",
        "design", "zodiac_sign", "cursor", "id", "q", "sync_token", "monkey", "Cache-Key",
    ])
    func `aren't those of data and of places in a list`(name: String) { #expect(!SecretNames.isSecret(name)) }

    @Test(arguments: [
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "4eC39HqLyjWDarjtT1zdp7dcXy",
        "b6907d289e10d714a6e88b30761fae22", "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
        "xoxb-123456789012-AbCdEfGh1JkLmN2p",
        "the key is b6907d289e10d714a6e88b30761fae22 today",
    ])
    func `aren't needed where a value has the shape of one`(value: String) {
        #expect(SecretNames.shape(of: value) != nil)
    }

    @Test(arguments: [
        "", "k3y", "CharactersAndAbilitiesOfTheHouse", "id,name,image_url,created_at,description_short",
        "2026-03-01T10:00:00.000Z/2027-03-01T10:00:00.000Z", "season-2-episode-14-the-return-of-the-king",
        "image_1024x768_large_version_2_final", "getCharacterListByHouseAndSeason2",
        "00000000000000000000000000001",
        "https://images.example.org/characters/mickey-mouse/portrait.png", "strengthsandweaknessesofcharacters",
    ])
    func `and no text of people has it`(value: String) { #expect(SecretNames.shape(of: value) == nil, "\(value)") }
}
