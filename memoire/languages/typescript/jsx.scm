; What only the grammars with JSX have.
(jsx_text) @skip
(html_character_reference) @skip
(jsx_opening_element name: (identifier) @tag)
(jsx_self_closing_element name: (identifier) @tag)
(jsx_opening_element name: (member_expression) @tag)
(jsx_self_closing_element name: (member_expression) @tag)
(jsx_closing_element name: (_) @key)
(jsx_attribute (property_identifier) @key)
(jsx_attribute (string) @skip)
