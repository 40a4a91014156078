"""Statements of Charles and Konecny, On the Outsized Importance of Learning Rates in Local Update Methods."""
