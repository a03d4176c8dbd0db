/// Small line drawings, which assistive technology leaves out.
enum Symbol {
    static let lock = Markup.constant(
        """
        <svg xmlns="http://www.w3.org/2000/svg" class="pn-symbol" viewBox="0 0 12 12" aria-hidden="true">\
        <path d="M2.5 5.5h7v5h-7zM4 5.5V4a2 2 0 0 1 4 0v1.5" /></svg>
        """
    )
    static let check = Markup.constant(
        """
        <svg xmlns="http://www.w3.org/2000/svg" class="pn-symbol" viewBox="0 0 12 12" aria-hidden="true">\
        <path d="M2 6.5l2.7 2.7L10 3.5" /></svg>
        """
    )
    static let close = Markup.constant(
        """
        <svg xmlns="http://www.w3.org/2000/svg" class="pn-symbol" viewBox="0 0 12 12" aria-hidden="true">\
        <path d="M3 3l6 6M9 3l-6 6" /></svg>
        """
    )
    static let play = Markup.constant(
        """
        <svg xmlns="http://www.w3.org/2000/svg" class="pn-symbol" viewBox="0 0 12 12" aria-hidden="true">\
        <path d="M3.5 2v8l6.5-4z" /></svg>
        """
    )
    static let pause = Markup.constant(
        """
        <svg xmlns="http://www.w3.org/2000/svg" class="pn-symbol" viewBox="0 0 12 12" aria-hidden="true">\
        <path d="M4 2.5v7M8 2.5v7" /></svg>
        """
    )
    static let picture = Markup.constant(
        """
        <svg xmlns="http://www.w3.org/2000/svg" class="pn-symbol" viewBox="0 0 12 12" aria-hidden="true">\
        <path d="M1.5 2.5h9v7h-9zM1.5 8.5l3-3 3 3 1.5-1.5 1.5 1.5" /></svg>
        """
    )
    /// Chevrons, which the style sheet mirrors where reading starts at the right.
    static let previous = Markup.constant(
        """
        <svg xmlns="http://www.w3.org/2000/svg" class="pn-symbol" viewBox="0 0 12 12" aria-hidden="true">\
        <path d="M7.5 2.5L4 6l3.5 3.5" /></svg>
        """
    )
    static let next = Markup.constant(
        """
        <svg xmlns="http://www.w3.org/2000/svg" class="pn-symbol" viewBox="0 0 12 12" aria-hidden="true">\
        <path d="M4.5 2.5L8 6L4.5 9.5" /></svg>
        """
    )
}
