// The sources that the tool knows by name.

extension Source {
    /// All of them, the default first.
    package static let builtIn: [Source] = [disney]

    /// The characters of https://api.disneyapi.dev.
    package static let disney = Source(
        name: "disney", baseURL: "https://api.disneyapi.dev", path: "/character",
        headers: [Header(name: "Accept", value: "application/json")],
        records: MemberPath("data"),
        paging: Paging(
            parameter: "page", first: 1, sizeParameter: "pageSize", size: 50,
            pages: MemberPath("info", "totalPages")),
        search: Search(parameter: "name", escape: .regex), item: "/character/{id}",
        members: [
            CommonMember(name: .id, paths: [MemberPath("_id")]),
            CommonMember(name: .name, paths: [MemberPath("name")]),
            CommonMember(name: .imageURL, paths: [MemberPath("imageUrl")]),
            CommonMember(name: .pageURL, paths: [MemberPath("sourceUrl"), MemberPath("url")]),
        ])
}
